import type {
  NamedListView,
  OutcomeReportView,
  RuleCheck,
  RuleDetail,
  RuleFiguresView,
  RuleVersionView,
  RuleView,
} from '@postern/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import type { TestProject, TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

const DAY_MS = 86_400_000;

describe.each(USUAL_BACK_ENDS)('what the pages of rules ask, on %s', (backEnd) => {
  let service: TestService;
  let admin: DashboardClient;
  let viewer: DashboardClient;
  let project: TestProject;
  const path = (rest: string) => `/projects/${project.id}${rest}`;

  beforeAll(async () => {
    service = await startServiceOn(backEnd);
    admin = await member(service, 'admin');
    viewer = await member(service, 'viewer');
    project = await service.makeProject();
    for (const rule of [
      { id: 'tagged', name: 'Tagged', when: 'email.tagged', then: 'flag' },
      { id: 'never', name: 'Never', when: 'ip.country == "XX"', then: 'block', mode: 'shadow' },
    ])
      expect((await admin.post(path('/rules'), rule)).status).toBe(201);
    const outcomes: object[] = [];
    for (let index = 0; index < 6; index += 1) {
      const email = index < 4 ? `p${index}+x@mail-house.net` : `p${index}@mail-house.net`;
      await project.validate({ email });
      outcomes.push({ email, outcome: index < 3 ? 'bad' : 'good' });
    }
    await admin.call('PATCH', path('/rules/tagged'), { mode: 'shadow' });
    await project.validate({ email: 'later+x@mail-house.net' });
    const headers = { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id };
    const body = JSON.stringify({ outcomes });
    const answer = await service.ask({ method: 'POST', path: '/v1/outcomes', headers, body });
    expect(answer.json).toEqual({ recorded: 6, unknown: [] });
  });
  afterAll(() => service.close());

  it('says who changed each rule', async () => {
    const rules: RuleView[] = (await viewer.get(path('/rules'))).json;
    expect(rules.map(({ id, changedByName }) => [id, typeof changedByName])).toEqual([
      ['tagged', 'string'],
      ['never', 'string'],
    ]);
  });

  it('counts the matches of each rule, live and in shadow, and what became of the people', async () => {
    const view: RuleFiguresView = (await viewer.get(path('/rule-figures'))).json;
    expect(view).toMatchObject({ days: 30, baseRate: 0.5 });
    const [tagged, never] = view.rules;
    expect(tagged).toMatchObject({ id: 'tagged', matches: 5, people: 5, known: 4, bad: 3, share: 0.75 });
    expect(tagged?.low).toBeGreaterThan(0.2);
    expect(tagged?.high).toBeLessThan(1);
    expect(Math.abs(Date.now() - (tagged?.lastAt ?? 0))).toBeLessThan(DAY_MS);
    expect(never).toEqual({
      id: 'never',
      matches: 0,
      lastAt: null,
      people: 0,
      known: 0,
      bad: 0,
      share: null,
      low: null,
      high: null,
      lift: null,
    });
    expect((await viewer.get(path('/rule-figures?days=0'))).status).toBe(400);
  });

  it('shows one rule over time', async () => {
    const [from, to] = [Date.now() - 7 * DAY_MS, Date.now()];
    const detail: RuleDetail = (await viewer.get(path(`/rules/tagged?from=${from}&to=${to}`))).json;
    expect(detail).toMatchObject({
      rule: { id: 'tagged', mode: 'shadow', when: 'email.tagged' },
      place: 1,
      figures: { matches: 5, known: 4, bad: 3 },
    });
    const sum = (name: 'live' | 'shadow') => detail.series.reduce((total, bar) => total + bar[name], 0);
    expect([sum('live'), sum('shadow')]).toEqual([4, 1]);
    expect(detail.series.length).toBeGreaterThan(6);
    expect((await viewer.get(path('/rules/nothing'))).status).toBe(404);
  });

  it('shows the versions of a rule, without those that changed other rules', async () => {
    await admin.call('PATCH', path('/rules/never'), { note: 'Nobody lives there', reason: 'Tidy up' });
    const versions = async (id: string): Promise<RuleVersionView[]> =>
      (await viewer.get(path(`/rules/${id}/versions`))).json;
    expect((await versions('tagged')).map(({ rule }) => rule.mode)).toEqual(['shadow', 'live']);
    expect(
      (await versions('never')).map(({ reason, rule, byName }) => [reason, rule.note, typeof byName]),
    ).toEqual([
      ['Tidy up', 'Nobody lives there', 'string'],
      [null, undefined, 'string'],
    ]);
    expect(await versions('nothing')).toEqual([]);
  });

  it('finds the rows of a rule in the log', async () => {
    const rows = async (query: string) =>
      (await viewer.get(path(`/validations?${query}`))).json.rows.length as number;
    expect(await rows('rule=tagged')).toBe(5);
    expect(await rows('rule=!tagged')).toBe(2);
    expect(await rows('rule=never')).toBe(0);
  });

  it('checks a condition while it is typed, and saves nothing', async () => {
    const check = async (when: unknown): Promise<RuleCheck> =>
      (await viewer.post(path('/rules/check'), { when })).json;
    expect(await check('email.role')).toEqual({
      fault: null,
      warnings: [],
    });
    expect(await check('ip.known &&\n  ip.asn == "x"')).toMatchObject({
      fault: { line: 2, column: 3, message: expect.stringContaining('without quotes') },
    });
    expect(await check('ip.known &&\n inList("friends", email.domain)')).toEqual({
      fault: {
        line: 2,
        column: 9,
        message: "There is no list 'friends'. The project has no lists yet; create it first.",
      },
      warnings: [],
    });
    expect(await check('ip.country == "uk"')).toMatchObject({
      fault: null,
      warnings: [{ line: 1, column: 15, message: 'ip.country is never “uk”. Write “GB”.' }],
    });
    expect((await check(7)).fault).not.toBeNull();
    expect((await viewer.get(path('/rules'))).json).toHaveLength(2);
  });

  it('says which rules ask a named list', async () => {
    const made = await admin.post(path('/named-lists'), { name: 'friends' });
    expect([made.status, made.json]).toEqual([201, { name: 'friends', entries: [], usedBy: [] }]);
    const asking = {
      id: 'friendly',
      name: 'Friends',
      when: 'inList("friends", email.domain)',
      then: 'allow',
    };
    await admin.post(path('/rules'), asking);
    const added = await admin.post(path('/named-lists/friends'), { add: [{ value: 'example.com' }] });
    expect(added.json).toMatchObject({ entries: [{ value: 'example.com' }], usedBy: ['friendly'] });
    const lists: NamedListView[] = (await viewer.get(path('/named-lists'))).json;
    expect(lists.map(({ usedBy }) => usedBy)).toEqual([['friendly']]);
  });

  it('gives a new rule none of the figures of a deleted one with the same ID', async () => {
    const tagged = {
      id: 'tagged',
      name: 'Tagged anew',
      when: 'email.tagged && ip.asn / ip.asn == 1',
      then: 'flag',
    };
    const figures = async () => {
      const view: RuleFiguresView = (await viewer.get(path('/rule-figures'))).json;
      return view.rules.find(({ id }) => id === 'tagged');
    };
    const reported = async () => {
      const report: OutcomeReportView = (await viewer.get(path('/outcomes'))).json;
      return report.rows.find(({ kind, name }) => kind === 'rule' && name === 'tagged');
    };
    const sumOf = async () => {
      const detail: RuleDetail = (await viewer.get(path('/rules/tagged'))).json;
      return detail.series.reduce((sum, { live, shadow }) => sum + live + shadow, 0);
    };
    const earlier = await figures();
    expect([earlier?.matches, (await reported())?.known, await sumOf()]).toEqual([5, 4, 5]);
    const { version } = (await viewer.get(path('/policy-history'))).json.rows[0];
    await admin.call('DELETE', path('/rules/tagged'));
    expect((await admin.post(path('/rules'), tagged)).status).toBe(201);
    const nothing = { matches: 0, lastAt: null, people: 0, known: 0, bad: 0, share: null };
    expect(await figures()).toMatchObject(nothing);
    expect([await reported(), await sumOf()]).toEqual([undefined, 0]);
    await project.validate({ email: 'again+x@mail-house.net', ip: '81.2.69.1' });
    expect(await figures()).toMatchObject({ matches: 1, people: 1, known: 0 });
    // Going back to the deleted rule gives it its own figures again, also those of the rule in between.
    await admin.call('DELETE', path('/rules/tagged'));
    expect((await admin.post(path(`/policy-history/${version}/restore`), {})).status).toBe(200);
    expect(await figures()).toMatchObject({ matches: 6, known: 4 });
  });
});
