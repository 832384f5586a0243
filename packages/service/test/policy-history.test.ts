import type { PolicyHistoryView, PolicyVersionView } from '@postern/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import type { TestProject, TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

describe.each(USUAL_BACK_ENDS)('the history of a policy on %s', (backEnd) => {
  let service: TestService;
  let admin: DashboardClient;
  let viewer: DashboardClient;
  let project: TestProject;
  const path = (rest: string) => `/projects/${project.id}${rest}`;
  const history = async (query = ''): Promise<PolicyHistoryView> =>
    (await admin.get(path(`/policy-history${query}`))).json;
  const newest = async (): Promise<PolicyVersionView> => {
    const [row] = (await history()).rows;
    if (row === undefined) throw new Error('No versions');
    return row;
  };

  beforeAll(async () => {
    service = await startServiceOn(backEnd);
    [admin, viewer] = [await member(service, 'admin'), await member(service, 'viewer')];
    project = await service.makeProject();
  });
  afterAll(() => service.close());

  it('begins with the project, and has a version for each change of the policy or its rules', async () => {
    expect((await history()).rows).toMatchObject([{ version: 1, changes: [], reason: null }]);
    const rule = { id: 'one', name: 'One', when: 'email.role', then: 'flag', reason: 'Role addresses' };
    await admin.post(path('/rules'), rule);
    await admin.call('PATCH', path('/rules/one'), { then: 'block' });
    await admin.call('PATCH', path(''), { policy: { actions: { mx: 'flag' } }, reason: 'Softer' });
    await admin.call('PATCH', path(''), { name: 'Another name' });
    await admin.post(path('/rules/one/move'), { before: null });
    const { rows, next } = await history();
    expect(next).toBeNull();
    expect(rows.map(({ version, reason, changes }) => ({ version, reason, changes }))).toEqual([
      { version: 4, reason: 'Softer', changes: ['Check mx: flag, was block.'] },
      { version: 3, reason: null, changes: ['Rule one (One): answer block, was flag.'] },
      { version: 2, reason: 'Role addresses', changes: ['Rule one (One) is new: flag if email.role.'] },
      { version: 1, reason: null, changes: [] },
    ]);
    expect(rows[0]).toMatchObject({ byName: expect.any(String), at: expect.any(Number) });
    const older = await history('?limit=2&before=4');
    expect([older.rows.map(({ version }) => version), older.next]).toEqual([[3, 2], 2]);
  });

  it('compares any two versions, and shows one whole', async () => {
    const detail = (await admin.get(path('/policy-history/4?against=1'))).json;
    expect(detail.changes).toEqual([
      'Check mx: flag, was block.',
      'Rule one (One) is new: block if email.role.',
    ]);
    expect(detail.policy.actions.mx).toBe('flag');
    expect(detail.rules).toMatchObject([{ id: 'one', then: 'block' }]);
    const back = (await admin.get(path('/policy-history/1?against=4'))).json;
    expect(back.changes).toEqual(['Check mx: block, was flag.', 'Rule one (One) is deleted.']);
  });

  it('goes back with one call, as a new version that is audited and holds from the next request on', async () => {
    const ask = async () => (await project.validate({ email: 'info@mail-house.net' })).json.recommendation;
    expect(await ask()).toBe('block');
    const messages = { de: { disposable: 'Bitte nicht.' } };
    await admin.call('PATCH', path(''), { policy: { signals: { new_domain: 'flag' }, messages } });
    const answer = await admin.post(path('/policy-history/1/restore'), {});
    expect([answer.status, answer.json.version, answer.json.reason]).toEqual([200, 6, 'Back to version 1.']);
    expect(await newest()).toEqual(answer.json);
    const { policy, rules } = (await admin.get(path(''))).json;
    const first = (await admin.get(path('/policy-history/1'))).json;
    expect({ policy, rules }).toEqual({ policy: first.policy, rules: [] });
    expect(await ask()).not.toBe('block');
    const [entry] = (await admin.get(`/audit?project=${project.id}&limit=1`)).json.rows;
    expect(entry.detail).toMatchObject({
      reason: 'Back to version 1.',
      rulesRemoved: ['one'],
      rulesBefore: [{ id: 'one', then: 'block' }],
      policy: { actions: { mx: 'block' } },
      policyBefore: { actions: { mx: 'flag' }, messages },
    });
    const again = await admin.post(path('/policy-history/1/restore'), {});
    expect([again.status, again.json.error]).toEqual([
      400,
      expect.stringMatching(/already those of version 1/),
    ]);
  });

  it('goes back only from the version that was seen, if the call names one', async () => {
    const seen = (await newest()).version;
    await admin.call('PATCH', path(''), { policy: { actions: { alias: 'block' } } });
    const back = (inUse: number) => admin.post(path(`/policy-history/${seen}/restore`), { inUse });
    const refused = await back(seen);
    expect([refused.status, refused.json.error]).toEqual([
      409,
      expect.stringMatching(/^The policy: somebody else/),
    ]);
    expect((await newest()).version).toBe(seen + 1);
    expect((await admin.get(path(''))).json.policy.actions.alias).toBe('block');
    const answer = await back(seen + 1);
    expect([answer.status, answer.json.version]).toEqual([200, seen + 2]);
  });

  it('refuses what it cannot do', async () => {
    expect((await viewer.get(path('/policy-history'))).status).toBe(200);
    expect((await viewer.post(path('/policy-history/1/restore'), {})).status).toBe(403);
    expect((await admin.get(path('/policy-history/99'))).status).toBe(404);
    expect((await admin.get(path('/policy-history/0'))).status).toBe(400);
    expect((await admin.post(path('/policy-history/99/restore'), {})).status).toBe(404);
    const long = await admin.post(path('/policy-history/4/restore'), { reason: 'x'.repeat(201) });
    expect([long.status, long.json.field]).toEqual([400, 'reason']);
    await admin.post(path('/named-lists'), { name: 'people' });
    const when = 'inList("people", email.domain)';
    await admin.post(path('/rules'), { id: 'listed', name: 'Listed', when, then: 'flag' });
    const { version } = await newest();
    await admin.call('DELETE', path('/rules/listed?reason=Done'));
    expect((await newest()).reason).toBe('Done');
    await admin.call('DELETE', path('/named-lists/people'));
    const refused = await admin.post(path(`/policy-history/${version}/restore`), {});
    expect([refused.status, refused.json.error]).toEqual([
      400,
      expect.stringMatching(/There is no list 'people'/),
    ]);
  });

  it('has one version for each of many changes at once, and none twice', async () => {
    const before = (await newest()).version;
    const changes = Array.from({ length: 8 }, (_, index) => ({
      id: `at_once_${index}`,
      name: 'At once',
      when: 'true',
      then: 'flag',
      mode: 'shadow',
    }));
    await Promise.all(changes.map((rule) => admin.post(path('/rules'), rule)));
    const { rows } = await history();
    const made = rows.filter(({ version }) => version > before);
    expect(made.map(({ version }) => version)).toEqual(
      Array.from({ length: 8 }, (_, index) => before + 8 - index),
    );
    for (const { changes: said } of made) expect(said).toHaveLength(1);
  });
});
