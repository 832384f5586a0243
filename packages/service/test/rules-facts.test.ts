import type { OutcomeReportView, OutcomeRowView } from '@postern/contract/dashboard';
import { RULE_FACTS, RULE_LIMITS } from '@postern/contract/rules';
import { describe, expect, it } from 'vitest';
import { rulesOn } from './support/rules-on.ts';
import { USUAL_BACK_ENDS } from './support/service-on.ts';
import { untilCounted } from './support/until-counted.ts';

const HOSTING = '45.77.3.77';

describe.each(USUAL_BACK_ENDS)('the facts of rules on %s', (backEnd) => {
  const on = rulesOn(backEnd);
  /** Flags, unless `more` says otherwise. */
  const create = (id: string, when: string, more: object = {}) =>
    on.create({ id, name: id, when, then: 'flag', ...more });

  it('are neutral where nothing is known, so that no condition fails', async () => {
    await create('ip', '!ip.known && ip.kind == "" && ip.country == "" && ip.asn == 0 && ip.network == ""');
    await create('range', 'ip.range == ""');
    await create('device', '!device.known && !device.automated && device.hash == ""');
    await create('history', '!device.reused && !device.overThreshold && !inbox.reused');
    await create('lists', 'size(signals) == 0 && size(failed) == 0');
    await create('email', '!email.role && !email.tagged && !email.relay && crowd.network.hour == 0');
    expect(await on.matched({ email: 'some.body@gmail.com' })).toEqual([
      ...['ip', 'range', 'device', 'history', 'lists', 'email'],
    ]);
    expect((await on.admin.get(on.path('/rule-failures'))).json).toEqual([]);
  });

  it('are what the request says, each of them', async () => {
    await create('domain', 'email.domain == "mail-house.net" && email.registrable == "mail-house.net"');
    await create('name', 'email.tld == "net" && email.class == "business" && email.shape == "a99"');
    await create('mail', 'mail.kind == "own" && mail.host.contains(".")');
    await create('tagged', 'email.tagged && email.class == "free" && mail.kind == "provider"');
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
    expect(await on.matched(all)).toEqual(['domain', 'name', 'mail', 'ip', 'network', 'device', 'server']);
    expect(await on.matched({ email: 'some.body+x@gmail.com' })).toEqual(['tagged', 'server']);
    expect(await on.matched({ email: 'billing@mail-house.net' })).toEqual([
      'domain',
      'mail',
      'role',
      'server',
    ]);
    const page = await untilCounted(() => on.project.validateFromPage({ email: 'some.body@gmail.com' }));
    expect(page.json.signals).toContain('rule_client');
    expect(page.json.signals).not.toContain('rule_server');
  });

  it('tell names, relays, scripts and the time apart', async () => {
    await create('below', 'email.domain == "a.shop.co.uk" && email.registrable == "shop.co.uk"');
    await create('last_label', 'email.tld == "uk"');
    await create('relay', 'email.relay && email.class == "relay"');
    await create('script', 'device.automated');
    const moments = [Date.now(), Date.now() + 600_000].map((at) => new Date(at));
    const times = moments.map((at) => {
      const weekday = at.getUTCDay() === 0 ? 7 : at.getUTCDay();
      return `(time.hour == ${at.getUTCHours()} && time.weekday == ${weekday})`;
    });
    await create('now', times.join(' || '));
    const userAgent =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/141.0.0.0 Safari/537.36';
    expect(await on.matched({ email: 'some.body@a.shop.co.uk' })).toEqual(['below', 'last_label', 'now']);
    expect(await on.matched({ email: 'some.body@mozmail.com' })).toEqual(['relay', 'now']);
    expect(await on.matched({ email: 'some.body@gmail.com', userAgent })).toEqual(['script', 'now']);
  });

  it('count what the project saw before', async () => {
    await create('busy_network', 'crowd.network.hour >= 2 && crowd.network.month >= 2');
    await create('busy_device', 'crowd.device.day >= 3');
    await create('busy_domain', 'crowd.domain.week >= 3 && crowd.mailHost.week >= 3');
    await create('one_domain', 'mail.domainsMonth == 1');
    await on.admin.call('PATCH', on.path(''), { policy: { deviceThreshold: 2 } });
    const asked: string[] = [];
    const device = { ip: '81.2.69.7', fingerprint: `counted-${backEnd}` };
    for (const name of ['ada', 'bea', 'cora', 'dora'])
      asked.push((await on.matched({ email: `${name}.person@mail-house.net`, ...device })).join(' '));
    // One organisation’s people on one network have machines that are alike, so the device is not over its threshold.
    const third = 'busy_network one_domain';
    expect(asked).toEqual(['', 'one_domain', third, 'busy_network busy_device busy_domain one_domain']);
    // A provider’s domain belongs to no company. The same people again are not new.
    const provider = { email: 'some.body@gmail.com', ip: '8.8.4.4' };
    expect(await on.matched(provider)).toEqual([]);
    expect(await on.matched({ email: 'ada.person@mail-house.net', ip: '8.8.4.4' })).toEqual([
      'busy_domain',
      'one_domain',
    ]);
  });

  it('say when more inboxes than the threshold came from a device', async () => {
    await create('over', 'device.overThreshold');
    await on.admin.call('PATCH', on.path(''), { policy: { deviceThreshold: 2 } });
    const asked: string[] = [];
    for (const name of ['ada', 'bea', 'cora'])
      asked.push(
        ...(await on.matched({
          email: `${name}.person@gmail.com`,
          ip: '81.2.69.7',
          fingerprint: `over-${backEnd}`,
        })),
      );
    expect(asked).toEqual(['over']);
  });

  it('know a throwaway domain whether or not its check runs', async () => {
    await create('throwaway', 'email.class == "disposable"', { then: 'block' });
    await create('business', 'email.class == "business"', { then: 'allow' });
    const email = 'some.body@mailinator.com';
    for (const validations of [undefined, { syntax: 'block' }, { mx: 'block' }])
      expect(await on.matched({ email, ...(validations && { validations }) })).toEqual(['throwaway']);
    await on.admin.call('PATCH', on.path(''), { policy: { actions: { disposable: 'off' } } });
    expect((await on.ask({ email })).recommendation).toBe('block');
    expect(await on.matched({ email })).toEqual(['throwaway']);
  });

  it('come with rules whose action and mode are always given', async () => {
    await create('shade', 'true', { then: 'block', mode: 'shadow' });
    for (const change of [{ mode: null }, { then: null }, { name: null }, { when: null }])
      expect((await on.admin.call('PATCH', on.path('/rules/shade'), change)).status).toBe(400);
    const rule = { name: 'New', when: 'true' };
    expect((await on.admin.post(on.path('/rules'), rule)).json).toMatchObject({ field: 'then' });
    expect((await on.admin.post(on.path('/rules'), { ...rule, then: 'flag', mode: null })).status).toBe(400);
    expect((await on.admin.get(on.path('/rules'))).json).toMatchObject([{ id: 'shade', mode: 'shadow' }]);
  });

  it('of people in lists are not in the audit log, which has rules and lists', async () => {
    await create('seen', 'true', { mode: 'shadow' });
    await on.admin.post(on.path('/named-lists'), { name: 'secret_people' });
    await on.admin.post(on.path('/named-lists/secret_people'), {
      add: [{ value: 'private.person@gmail.com' }],
    });
    await on.admin.call('DELETE', on.path('/rules/seen'));
    await on.admin.call('DELETE', on.path('/named-lists/secret_people'));
    const audit = JSON.stringify((await on.admin.get(`/audit?project=${on.project.id}&limit=200`)).json);
    expect(audit).toContain('"rulesChanged":[{"id":"seen"');
    expect(audit).toContain('"rulesRemoved":["seen"]');
    expect(audit).toContain('***@gmail.com');
    expect(audit).not.toContain('private.person');
  });

  it('can be looked for in lists of any name', async () => {
    for (const name of ['constructor', 'prototype']) {
      expect((await on.admin.post(on.path('/named-lists'), { name })).status).toBe(201);
      const added = await on.admin.post(on.path(`/named-lists/${name}`), {
        add: [{ value: 'mail-house.net' }],
      });
      expect(added.status).toBe(200);
      await create(`in_${name}`, `inList("${name}", email.domain)`);
    }
    expect(await on.matched({ email: 'some.body@mail-house.net' })).toEqual([
      'in_constructor',
      'in_prototype',
    ]);
  });

  it('can be asked with every example of the table', async () => {
    await on.admin.post(on.path('/named-lists'), { name: 'offices' });
    for (const name of ['testers', 'partners']) await on.admin.post(on.path('/named-lists'), { name });
    const examples = Object.entries(RULE_FACTS);
    for (const [index, [, { example }]] of examples.entries())
      await create(`fact_${index}`, example, { mode: 'shadow' });
    expect((await on.ask({ email: 'some.body@gmail.com' })).recommendation).toBe('allow');
    expect((await on.admin.get(on.path('/rule-failures'))).json).toEqual([]);
  });

  it('cannot undo the project’s own lists, in either direction', async () => {
    await create('kind', 'true', { then: 'allow' });
    const changes = [{ list: 'blockList', add: { value: 'outlook.com' } }];
    await on.admin.post(on.path('/lists'), { changes });
    expect(await on.ask({ email: 'jane.roe@outlook.com' })).toMatchObject({
      recommendation: 'block',
      signals: ['block_listed', 'rule_kind'],
    });
  });

  it('and rules have the sizes that the limits say, and not one more', async () => {
    const text = (length: number) => `email.domain != "${'x'.repeat(length - 'email.domain != ""'.length)}"`;
    await create('longest', text(RULE_LIMITS.characters), { mode: 'shadow' });
    await create('x'.repeat(40), 'true', { mode: 'shadow' });
    const refused = async (rule: object) =>
      (await on.admin.post(on.path('/rules'), { name: 'R', when: 'true', then: 'flag', ...rule })).status;
    expect(await refused({ when: text(RULE_LIMITS.characters + 1) })).toBe(400);
    expect(await refused({ id: 'x'.repeat(41) })).toBe(400);
    expect(await refused({ id: '' })).toBe(400);
    // Each further condition has one operator more.
    const nodes = (count: number) => Array.from({ length: count }, () => 'true').join(' && ');
    await create('most_nodes', nodes(RULE_LIMITS.nodes / 2), { mode: 'shadow' });
    expect(await refused({ when: nodes(RULE_LIMITS.nodes) })).toBe(400);
    expect((await on.matched({ email: 'some.body@gmail.com' })).length).toBe(0);
  });

  it('give a shadow rule its row in the report, with interval and lift', async () => {
    await create('shade', 'email.tagged', { mode: 'shadow', then: 'block' });
    const outcomes: object[] = [];
    for (let index = 0; index < 12; index += 1) {
      const email = `reported.person${index}${index < 6 ? '+x' : ''}@gmail.com`;
      expect((await on.ask({ email })).signals).not.toContain('rule_shade');
      outcomes.push({ email, outcome: index < 6 && index !== 0 ? 'bad' : 'good' });
    }
    await on.report(outcomes);
    const report: OutcomeReportView = (await on.admin.get(on.path('/outcomes'))).json;
    const row = report.rows.find(({ kind, name }: OutcomeRowView) => kind === 'rule' && name === 'shade');
    expect(row).toMatchObject({ people: 6, known: 6, bad: 5, share: 5 / 6, lift: 2 });
    expect(row?.low).toBeGreaterThan(0.4);
    expect(row?.high).toBeLessThan(1);
    expect(report.rulesGoneBad).toEqual([]);
  });
});
