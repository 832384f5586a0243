import type { ValidateResponse } from '@postern/contract';
import type { OutcomeReportView, OutcomeRowView } from '@postern/contract/dashboard';
import { RULE_FACTS, RULE_LIMITS } from '@postern/contract/rules';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import type { TestProject, TestService } from './support/service.ts';
import { BACK_ENDS, startServiceOn } from './support/service-on.ts';
import { untilCounted } from './support/until-counted.ts';

const HOSTING = '45.77.3.77';

describe.each(BACK_ENDS)('the facts of rules on %s', (backEnd) => {
  let service: TestService;
  let admin: DashboardClient;
  let project: TestProject;
  const path = (rest: string) => `/projects/${project.id}${rest}`;

  beforeAll(async () => {
    service = await startServiceOn(backEnd);
    admin = await member(service, 'admin');
  });
  beforeEach(async () => {
    project = await service.makeProject();
  });
  afterAll(() => service.close());

  const create = async (id: string, when: string, more: object = {}) => {
    const rule = { id, name: id, when, then: 'flag', ...more };
    const answer = await admin.post(path('/rules'), rule);
    expect([answer.status, answer.json.error]).toEqual([201, undefined]);
  };
  const ask = async (body: object): Promise<ValidateResponse> =>
    (await untilCounted(() => project.validate(body))).json;
  const matched = async (body: object) =>
    (await ask(body)).signals.filter((signal) => signal.startsWith('rule_'));

  it('are neutral where nothing is known, so that no condition fails', async () => {
    await create('ip', '!ip.known && ip.kind == "" && ip.country == "" && ip.asn == 0 && ip.network == ""');
    await create('range', 'ip.range == ""');
    await create('device', '!device.known && !device.automated && device.hash == ""');
    await create('history', '!device.reused && !device.overThreshold && !inbox.reused');
    await create('lists', 'size(signals) == 0 && size(failed) == 0');
    await create('email', '!email.role && !email.tagged && !email.relay && activity.network == 0');
    expect(await matched({ email: 'some.body@gmail.com' })).toEqual(
      ['ip', 'range', 'device', 'history', 'lists', 'email'].map((id) => `rule_${id}`),
    );
    expect((await admin.get(path('/rule-failures'))).json).toEqual([]);
  });

  it('are what the request says, each of them', async () => {
    await create('domain', 'email.domain == "mail-house.net" && email.registrable == "mail-house.net"');
    await create('name', 'email.tld == "net" && email.class == "business" && email.shape == "a99"');
    await create('tagged', 'email.tagged && email.class == "free"');
    await create('role', 'email.role && "role_email" in signals && "roleEmail" in failed');
    await create('ip', 'ip.known && ip.kind == "hosting" && ip.country == "US" && ip.asn == 20473');
    await create('network', 'ip.network != "" && ip.range == "45.77.3.0/24"');
    await create('device', 'device.known && device.hash != "" && inbox.hash != ""');
    await create(
      'server',
      'key.type == "server" && time.hour >= 0 && time.weekday >= 1 && time.weekday <= 7',
    );
    await create('client', 'key.type == "client"');
    const all = { email: 'ab12@mail-house.net', ip: HOSTING, fingerprint: `device-${backEnd}` };
    const those = (...ids: string[]) => ids.map((id) => `rule_${id}`);
    expect(await matched(all)).toEqual(those('domain', 'name', 'ip', 'network', 'device', 'server'));
    expect(await matched({ email: 'some.body+x@gmail.com' })).toEqual(those('tagged', 'server'));
    expect(await matched({ email: 'billing@mail-house.net' })).toEqual(those('domain', 'role', 'server'));
    const page = await untilCounted(() => project.validateFromPage({ email: 'some.body@gmail.com' }));
    expect(page.json.signals).toContain('rule_client');
    expect(page.json.signals).not.toContain('rule_server');
  });

  it('know a throwaway domain whether or not its check runs', async () => {
    await create('throwaway', 'email.class == "disposable"', { then: 'block' });
    await create('business', 'email.class == "business"', { then: 'allow' });
    const email = 'some.body@mailinator.com';
    for (const validations of [undefined, { syntax: 'block' }, { mx: 'block' }])
      expect(await matched({ email, ...(validations && { validations }) })).toEqual(['rule_throwaway']);
    await admin.call('PATCH', path(''), { policy: { actions: { disposable: 'off' } } });
    expect((await ask({ email })).recommendation).toBe('block');
    expect(await matched({ email })).toEqual(['rule_throwaway']);
  });

  it('come with rules whose action and mode are always given', async () => {
    await create('shade', 'true', { then: 'block', mode: 'shadow' });
    for (const change of [{ mode: null }, { then: null }, { name: null }, { when: null }])
      expect((await admin.call('PATCH', path('/rules/shade'), change)).status).toBe(400);
    const rule = { name: 'New', when: 'true' };
    expect((await admin.post(path('/rules'), rule)).json).toMatchObject({ field: 'then' });
    expect((await admin.post(path('/rules'), { ...rule, then: 'flag', mode: null })).status).toBe(400);
    expect((await admin.get(path('/rules'))).json).toMatchObject([{ id: 'shade', mode: 'shadow' }]);
  });

  it('of people in lists are not in the audit log, which has rules and lists', async () => {
    await create('seen', 'true', { mode: 'shadow' });
    await admin.post(path('/named-lists'), { name: 'secret_people' });
    await admin.post(path('/named-lists/secret_people'), { add: [{ value: 'private.person@gmail.com' }] });
    await admin.call('DELETE', path('/rules/seen'));
    await admin.call('DELETE', path('/named-lists/secret_people'));
    const audit = JSON.stringify((await admin.get(`/audit?project=${project.id}&limit=200`)).json);
    expect(audit).toContain('"rulesChanged":[{"id":"seen"');
    expect(audit).toContain('"rulesRemoved":["seen"]');
    expect(audit).toContain('***@gmail.com');
    expect(audit).not.toContain('private.person');
  });

  it('can be looked for in lists of any name', async () => {
    for (const name of ['constructor', '__proto__']) {
      expect((await admin.post(path('/named-lists'), { name })).status).toBe(201);
      const added = await admin.post(path(`/named-lists/${name}`), { add: [{ value: 'mail-house.net' }] });
      expect(added.status).toBe(200);
      await create(`in_${name}`, `inList("${name}", email.domain)`);
    }
    expect(await matched({ email: 'some.body@mail-house.net' })).toEqual([
      'rule_in_constructor',
      'rule_in___proto__',
    ]);
  });

  it('can be asked with every example of the table', async () => {
    await admin.post(path('/named-lists'), { name: 'offices' });
    for (const name of ['testers', 'partners']) await admin.post(path('/named-lists'), { name });
    const examples = Object.entries(RULE_FACTS);
    for (const [index, [, { example }]] of examples.entries())
      await create(`fact_${index}`, example, { mode: 'shadow' });
    expect((await ask({ email: 'some.body@gmail.com' })).recommendation).toBe('allow');
    expect((await admin.get(path('/rule-failures'))).json).toEqual([]);
  });

  it('cannot undo the project’s own lists, in either direction', async () => {
    await create('kind', 'true', { then: 'allow' });
    const changes = [{ list: 'blockList', add: { value: 'outlook.com' } }];
    await admin.post(path('/lists'), { changes });
    expect(await ask({ email: 'jane.roe@outlook.com' })).toMatchObject({
      recommendation: 'block',
      signals: ['block_listed', 'rule_kind'],
    });
  });

  it('and rules have the sizes that the limits say, and not one more', async () => {
    const text = (length: number) => `email.domain != "${'x'.repeat(length - 'email.domain != ""'.length)}"`;
    await create('longest', text(RULE_LIMITS.characters), { mode: 'shadow' });
    await create('x'.repeat(40), 'true', { mode: 'shadow' });
    const refused = async (rule: object) =>
      (await admin.post(path('/rules'), { name: 'R', when: 'true', then: 'flag', ...rule })).status;
    expect(await refused({ when: text(RULE_LIMITS.characters + 1) })).toBe(400);
    expect(await refused({ id: 'x'.repeat(41) })).toBe(400);
    expect(await refused({ id: '' })).toBe(400);
    // Each further condition has one operator more.
    const nodes = (count: number) => Array.from({ length: count }, () => 'true').join(' && ');
    await create('most_nodes', nodes(RULE_LIMITS.nodes / 2), { mode: 'shadow' });
    expect(await refused({ when: nodes(RULE_LIMITS.nodes) })).toBe(400);
    expect((await matched({ email: 'some.body@gmail.com' })).length).toBe(0);
  });

  it('give a shadow rule its row in the report, with interval and lift', async () => {
    await create('shade', 'email.tagged', { mode: 'shadow', then: 'block' });
    const outcomes: object[] = [];
    for (let index = 0; index < 12; index += 1) {
      const email = `reported.person${index}${index < 6 ? '+x' : ''}@gmail.com`;
      expect((await ask({ email })).signals).not.toContain('rule_shade');
      outcomes.push({ email, outcome: index < 6 && index !== 0 ? 'bad' : 'good' });
    }
    await service.ask({
      method: 'POST',
      path: '/v1/outcomes',
      headers: { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id },
      body: JSON.stringify({ outcomes }),
    });
    const report: OutcomeReportView = (await admin.get(path('/outcomes'))).json;
    const row = report.rows.find(({ kind, name }: OutcomeRowView) => kind === 'rule' && name === 'shade');
    expect(row).toMatchObject({ people: 6, known: 6, bad: 5, share: 5 / 6, lift: 2 });
    expect(row?.low).toBeGreaterThan(0.4);
    expect(row?.high).toBeLessThan(1);
    expect(report.rulesGoneBad).toEqual([]);
  });
});
