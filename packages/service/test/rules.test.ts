import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { DAY_MS, MESSAGES } from '@postern/contract';
import type { RuleTest, TimeMachineReport, ValidationRow } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import { describe, expect, it } from 'vitest';
import { rulesOn } from './support/rules-on.ts';
import { createKey } from './support/service.ts';
import { USUAL_BACK_ENDS } from './support/service-on.ts';

const HOSTING = '45.77.3.77';
const ORDINARY = '81.2.69.1';

const exactly = (count: number) => ({ count, low: count, high: count });

describe.each(USUAL_BACK_ENDS)('rules on %s', (backEnd) => {
  const on = rulesOn(backEnd, { env: { POSTERN_WEBHOOK_ALLOW: '127.0.0.0/8' } });

  it('decide instead of the checks, in either direction, with their signal', async () => {
    const body = { email: 'jane.roe@gmail.com', ip: HOSTING };
    expect((await on.ask(body)).recommendation).toBe('flag');
    await on.create({ id: 'hosting', when: 'ip.kind == "hosting" && email.class == "free"' });
    expect(await on.ask(body)).toMatchObject({
      recommendation: 'block',
      message: MESSAGES.device,
      signals: ['hosting_ip', 'rule_hosting'],
    });
    await on.clear();
    await on.create({ id: 'ok', when: 'ip.kind == "hosting"', then: 'allow' });
    expect(await on.ask(body)).toMatchObject({
      recommendation: 'allow',
      message: null,
      signals: ['hosting_ip', 'rule_ok'],
      checks: { ip: { pass: false } },
    });
    expect((await on.ask({ ...body, ip: ORDINARY })).signals).toEqual([]);
  });

  it('are asked in their order: the first live one that matches decides, and every one leaves its mark', async () => {
    await on.create({ id: 'shade', when: 'true', mode: 'shadow' });
    await on.create({
      id: 'first',
      when: 'email.domain == "gmail.com"',
      then: 'flag',
      message: 'Say hello first.',
    });
    await on.create({ id: 'second', when: 'email.class == "free"', then: 'block' });
    expect(await on.ask({ email: 'order.one@gmail.com' }, 'order-1')).toMatchObject({
      recommendation: 'flag',
      message: 'Say hello first.',
      signals: ['rule_first', 'rule_second'],
    });
    expect(await on.rowOf('order-1')).toMatchObject({
      recommendation: 'flag',
      signals: ['rule_first', 'rule_second'],
      rules: ['first', 'second'],
      shadowRules: ['shade'],
    });
    await on.admin.post(on.path('/rules/second/move'), { before: 'first' });
    expect((await on.admin.get(on.path('/rules'))).json.map(({ id }: Rule) => id)).toEqual([
      'shade',
      'second',
      'first',
    ]);
    expect((await on.ask({ email: 'order.one@gmail.com' })).recommendation).toBe('block');
    for (const query of ['signal=rule_first', 'signal=rule_first,null_mx'])
      expect(
        (await on.admin.get(on.path(`/validations?${query}`))).json.rows.map(
          (row: ValidationRow) => row.requestId,
        ),
      ).toContain('order-1');
  });

  it('come after the lists, and leave their mark all the same', async () => {
    await on.create({ id: 'never', when: 'true', then: 'block' });
    const changes = [{ list: 'allowList', add: { value: 'listed.person@gmail.com' } }];
    const { undo } = (await on.admin.post(on.path('/lists'), { changes })).json;
    expect(await on.ask({ email: 'listed.person@gmail.com' }, 'listed-1')).toMatchObject({
      recommendation: 'allow',
      signals: ['allow_listed', 'rule_never'],
    });
    expect(await on.rowOf('listed-1')).toMatchObject({ rules: ['never'], lists: ['allow:address'] });
    await on.admin.post(on.path('/lists'), { changes: undo });
  });

  it('apply whatever `validations` says, with the facts that the request has', async () => {
    await on.create({
      id: 'far',
      when: 'ip.country == "US" && ip.asn == 20473 && ip.range == "45.77.3.0/24"',
    });
    await on.create({ id: 'role', when: 'email.role' });
    const validations = { syntax: 'allow' };
    expect((await on.ask({ email: 'some.body@gmail.com', ip: HOSTING, validations })).signals).toEqual([
      'rule_far',
    ]);
    expect((await on.ask({ email: 'info@mail-house.net', validations })).recommendation).toBe('block');
    expect((await on.ask({ email: 'some.body@gmail.com', ip: ORDINARY, validations })).recommendation).toBe(
      'allow',
    );
  });

  it('see the history that the counting transaction found', async () => {
    await on.create({ id: 'device', when: 'device.reused' });
    await on.create({ id: 'inbox', when: 'inbox.reused', then: 'allow' });
    await on.create({ id: 'new_here', when: '!device.reused && device.known', mode: 'shadow' });
    const fingerprint = `device-of-${backEnd}`;
    expect(await on.ask({ email: 'first.comer@gmail.com', fingerprint }, 'h-1')).toMatchObject({
      signals: [],
    });
    const second = await on.ask({ email: 'second.comer@gmail.com', fingerprint }, 'h-2');
    expect(second).toMatchObject({ recommendation: 'block', signals: ['device_reuse', 'rule_device'] });
    const again = await on.ask({ email: 'first.comer+x@gmail.com' }, 'h-3');
    expect(again.recommendation).toBe('allow');
    expect(again.signals).toEqual(['alias_detected', 'alias_reuse', 'rule_inbox']);
    expect(await on.rowOf('h-1')).toMatchObject({
      rules: [],
      shadowRules: ['new_here'],
      recommendation: 'allow',
    });
    expect(await on.rowOf('h-2')).toMatchObject({
      rules: ['device'],
      shadowRules: [],
      recommendation: 'block',
    });
    expect(await on.rowOf('h-3')).toMatchObject({ rules: ['inbox'], recommendation: 'allow' });

    // Many at once: each answer and its log row say the same.
    const emails = Array.from({ length: 20 }, (_, index) => `at.once.${backEnd}${index}@gmail.com`);
    const answers = await Promise.all(
      emails.map((email, index) => on.ask({ email, fingerprint: `many-${backEnd}` }, `many-${index}`)),
    );
    expect(answers.filter(({ signals }) => !signals.includes('rule_device'))).toHaveLength(1);
    const { rows } = (await on.admin.get(on.path('/validations?limit=100'))).json;
    for (const [index, { recommendation, signals }] of answers.entries()) {
      const row = rows.find(({ requestId }: ValidationRow) => requestId === `many-${index}`);
      expect([index, row.recommendation, [...row.signals].sort()]).toEqual([
        index,
        recommendation,
        [...signals].sort(),
      ]);
    }
  });

  it('give the same log row, verdict, webhook, statistics, playground and replay', async () => {
    let deliver: (body: string) => void = () => {};
    const delivered = new Promise<string>((resolve) => {
      deliver = resolve;
    });
    const receiver = createServer(async (request, response) => {
      deliver(await text(request));
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    await on.admin.post(on.path('/webhooks'), {
      url: `http://127.0.0.1:${port}/`,
      events: ['validation.blocked'],
    });
    await on.create({ id: 'everywhere', when: 'email.domain == "outlook.com"' });
    const answer = await on.project.validate(
      { email: 'every.where@outlook.com' },
      { 'x-request-id': 'every-1', prefer: 'verdict' },
    );
    const claims = JSON.parse(
      Buffer.from(answer.headers['x-postern-verdict']?.split('.')[1] ?? '', 'base64url').toString(),
    );
    const signals = ['rule_everywhere'];
    expect(claims).toMatchObject({ recommendation: 'block', signals });
    expect(await on.rowOf('every-1')).toMatchObject({ recommendation: 'block', signals });
    expect(JSON.parse(await delivered)).toMatchObject({ data: { requestId: 'every-1', signals } });
    receiver.close().closeAllConnections();
    const tried = (await on.admin.post(on.path('/playground'), { email: 'try.it@outlook.com' })).json;
    expect(tried.body).toMatchObject({ recommendation: 'block', signals });
    const { secret } = await on.service.admin((using) =>
      createKey(using, { projectId: on.project.id, type: 'server', mode: 'test' }),
    );
    const sandbox = await on.project.validate(
      { email: 'try.it@outlook.com' },
      { authorization: `Bearer ${secret}` },
    );
    expect(sandbox.json).toMatchObject({ recommendation: 'block', signals });
    const replayed: TimeMachineReport = (
      await on.admin.post(on.path('/time-machine'), { rules: [], days: 1 })
    ).json;
    expect(replayed.changes).toContainEqual(expect.objectContaining({ from: 'block', to: 'allow' }));
    const kept: TimeMachineReport = (await on.admin.post(on.path('/time-machine'), { days: 1 })).json;
    expect(kept.rules).toMatchObject([{ id: 'everywhere', matches: exactly(1), changed: exactly(0) }]);
  });

  it('end when they say, and hold from the next request on for every key', async () => {
    const email = 'timely@gmail.com';
    const rule = await on.createEnding({ id: 'timely', when: 'true' });
    await expect.poll(async () => (await on.ask({ email })).recommendation).toBe('allow');
    await on.admin.call('PATCH', on.path(`/rules/${rule.id}`), { expiresAt: null });
    expect((await on.ask({ email })).recommendation).toBe('block');
    expect((await on.project.validateFromPage({ email })).json.recommendation).toBe('block');
    await on.admin.call('PATCH', on.path(`/rules/${rule.id}`), { mode: 'shadow', note: 'watching' });
    expect((await on.ask({ email })).recommendation).toBe('allow');
    expect((await on.project.validateFromPage({ email })).json.recommendation).toBe('allow');
    const [kept] = (await on.admin.get(on.path('/rules'))).json;
    expect(kept).toEqual({
      id: 'timely',
      name: 'A rule',
      when: 'true',
      then: 'block',
      mode: 'shadow',
      note: 'watching',
      createdAt: expect.any(Number),
      changedAt: expect.any(Number),
      changedBy: expect.any(String),
      changedByName: expect.any(String),
      lists: [],
    });
  });

  it('ask the project’s named lists', async () => {
    expect(
      (
        await on.admin.post(on.path('/rules'), {
          name: 'x',
          when: 'inList("partners", email.domain)',
          then: 'allow',
        })
      ).json.error,
    ).toBe("Line 1, column 8: There is no list 'partners'. The project has no lists yet; create it first.");
    expect((await on.admin.post(on.path('/named-lists'), { name: 'partners' })).status).toBe(201);
    await on.ask({ email: 'order.one@gmail.com' }, 'listed');
    const { inbox } = await on.rowOf('listed');
    const add = [
      { value: 'mail-house.net' },
      { value: 'AS20473' },
      { value: 'country:GB' },
      { value: '9.9.0.0/16' },
      { value: `person:${inbox}` },
      { value: 'named.person+tag@gmail.com' },
    ];
    const list = await on.admin.post(on.path('/named-lists/partners'), { add });
    expect(list.json.entries.map(({ value }: { value: string }) => value)).toEqual(
      add.map(({ value }) => value),
    );
    const facts = ['email.domain', 'ip.asn', 'ip.country', 'ip.range', 'inbox.hash'];
    for (const fact of facts)
      await on.create({ id: fact.replace('.', '_'), when: `inList("partners", ${fact})`, then: 'flag' });
    expect(await on.matched({ email: 'a.person@mail-house.net' })).toEqual(['email_domain']);
    expect(await on.matched({ email: 'a.person@gmail.com', ip: HOSTING })).toEqual(['ip_asn']);
    expect(await on.matched({ email: 'a.person@gmail.com', ip: ORDINARY })).toEqual(['ip_country']);
    expect(await on.matched({ email: 'a.person@gmail.com', ip: '9.9.9.9' })).toContain('ip_range');
    expect(await on.matched({ email: 'order.one@gmail.com' })).toEqual(['inbox_hash']);
    expect(await on.matched({ email: 'namedperson@gmail.com' })).toEqual(['inbox_hash']);
    expect((await on.admin.call('DELETE', on.path('/named-lists/partners'))).json.error).toMatch(
      /list 'partners' is used by rules: email_domain, ip_asn/,
    );
    await on.admin.post(on.path('/named-lists/partners'), { remove: ['mail-house.net'] });
    expect(await on.matched({ email: 'a.person@mail-house.net' })).toEqual([]);
    await on.clear();
    expect((await on.admin.call('DELETE', on.path('/named-lists/partners'))).status).toBe(204);
    expect((await on.admin.get(on.path('/named-lists'))).json).toEqual([]);
  });

  it('that fail do not match, and are counted', async () => {
    await on.create({ id: 'faulty', when: '10 / ip.asn > 0' });
    await on.create({ id: 'fine', when: 'email.domain == "gmail.com"', then: 'flag' });
    expect(await on.ask({ email: 'no.ip@gmail.com' })).toMatchObject({
      recommendation: 'flag',
      signals: ['rule_fine'],
    });
    const metrics = (await on.service.ask({ path: '/metrics' })).text;
    expect(Number(/^postern_rule_faults_total (\d+)/m.exec(metrics)?.[1])).toBeGreaterThan(0);
    await on.create({ id: 'only_again', when: 'inbox.reused && 10 / ip.asn > 0' });
    await on.ask({ email: 'no.ip+again@gmail.com' });
    await on.ask({ email: 'new.here@gmail.com', ip: HOSTING });
    expect((await on.admin.get(on.path('/rule-failures?days=1'))).json).toEqual([
      { id: 'faulty', count: 2, lastAt: expect.any(Number) },
      { id: 'only_again', count: 1, lastAt: expect.any(Number) },
    ]);
    const tried: RuleTest = (
      await on.admin.post(on.path('/rules/test'), { when: '10 / ip.asn > 0', days: 1 })
    ).json;
    expect(tried.failed).toBeGreaterThan(1);
    expect(tried.examples.every(({ maskedIp }) => maskedIp !== null)).toBe(true);
  });

  it('can be tried on the log, and the replay gives what the rule gives live', async () => {
    const when = 'ip.kind == "hosting" && !email.role && "alias_detected" in signals';
    const bodies = Array.from({ length: 60 }, (_, index) => ({
      email: `${index % 5 === 0 ? 'billing' : `person.number${index}`}${index % 3 === 0 ? '+tag' : ''}@gmail.com`,
      ip: index % 2 === 0 ? HOSTING : ORDINARY,
      ...(index % 7 === 0 && { fingerprint: 'shared-device' }),
    }));
    for (const [index, body] of bodies.entries()) await on.ask(body, `try-${index}`);
    const outcomes = [
      { requestId: 'try-6', outcome: 'bad' },
      { requestId: 'try-12', outcome: 'good' },
    ];
    await on.report(outcomes);
    const test: RuleTest = (await on.admin.post(on.path('/rules/test'), { when, days: 1 })).json;
    const tried = { id: 'tried', name: 'Tried', when, then: 'block', mode: 'live' };
    const travel = async (edited: object): Promise<TimeMachineReport> =>
      (await on.admin.post(on.path('/time-machine'), { ...edited, days: 1 })).json;
    const replayed = await travel({ rules: [tried] });
    expect(await on.saved()).toEqual([]);
    expect(replayed.rules[0]?.examples.map(({ signals }) => signals)).toContainEqual(
      expect.arrayContaining(['alias_detected', 'hosting_ip']),
    );
    await on.admin.post(on.path('/rules'), tried);
    // From now on it is among today’s rules, and what an edit changes is compared with them.
    const since = await travel({ rules: [tried, { ...tried, id: 'next', then: 'flag' }] });
    const live = [];
    for (const body of bodies) live.push(await on.ask(body));
    const matches = live.filter(({ signals }) => signals.includes('rule_tried')).length;
    expect(matches).toBeGreaterThan(3);
    expect(test).toMatchObject({
      considered: 60,
      matches,
      known: 2,
      bad: 1,
      good: 1,
      failed: 0,
      partial: false,
    });
    expect(test.examples.length).toBe(Math.min(10, matches));
    expect(replayed.rules).toMatchObject([
      { id: 'tried', matches: exactly(matches), changed: exactly(matches), bad: 1, good: 1 },
    ]);
    expect(replayed.after.block.count - replayed.before.block.count).toBe(matches);
    expect([replayed.otherThen, since.otherThen]).toEqual([exactly(0), exactly(matches)]);
    expect([since.changes, since.before]).toEqual([[], replayed.after]);
    expect(since.rules).toMatchObject([{ changed: exactly(0) }, { id: 'next', changed: exactly(0) }]);
    const report = (await on.admin.get(on.path('/outcomes'))).json;
    expect(report.rows.find(({ name }: { name: string }) => name === 'tried')).toMatchObject({
      kind: 'rule',
      known: 2,
      bad: 1,
    });
    expect((await on.admin.post(on.path('/rules/test'), { when: 'nope', days: 1 })).json).toMatchObject({
      line: 1,
    });

    // Of people whose log rows are gone is known which rules matched, but not which another condition would have.
    await on.ask({ email: 'came.later+tag@gmail.com', ip: HOSTING }, 'later');
    await on.report([{ requestId: 'later', outcome: 'bad' }]);
    await on.service.admin(async ({ store }) => {
      const limits = { maxRows: 1_000, logRetentionMs: 0, outcomeRetentionMs: DAY_MS, logMaxRows: 0 };
      while ((await store.sweep(Date.now() + 1_000, limits)) > 0);
    });
    const [gone, other] = [
      await travel({ rules: [tried] }),
      await travel({ rules: [{ ...tried, when: 'true' }] }),
    ];
    expect([gone.considered, gone.rules, other.rules]).toMatchObject([
      0,
      [{ bad: 1, good: 0 }],
      [{ bad: 0, good: 0 }],
    ]);
  });
});
