import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { MESSAGES, type Signal, type ValidateResponse } from '@postern/contract';
import type { ListChange, ValidationRow } from '@postern/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import { createKey, type TestProject, type TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

/** A Tor exit of the bundled data, in a network of the same operator. */
const TOR = '185.220.101.1';
const HOSTING = '45.77.3.77';
const ORDINARY = '81.2.69.1';

describe.each(USUAL_BACK_ENDS)('the project’s own lists on %s', (backEnd) => {
  let service: TestService;
  let analyst: DashboardClient;
  let project: TestProject;
  const path = (rest: string) => `/projects/${project.id}${rest}`;

  beforeAll(async () => {
    service = await startServiceOn(backEnd, { env: { POSTERN_WEBHOOK_ALLOW: '127.0.0.0/8' } });
    analyst = await member(service, 'analyst');
    project = await service.makeProject();
  });
  afterAll(() => service.close());

  const change = async (...changes: ListChange[]) => {
    const answer = await analyst.post(path('/lists'), { changes });
    expect(answer.status).toBe(200);
    return answer.json.undo as ListChange[];
  };
  const allow = (value: string) => change({ list: 'allowList', add: { value } });
  const block = (value: string) => change({ list: 'blockList', add: { value } });
  const ask = async (body: object): Promise<ValidateResponse> => (await project.validate(body)).json;
  /** The answer while these entries are there. */
  const during = async (entries: readonly Promise<ListChange[]>[], body: object) => {
    const undo = (await Promise.all(entries)).reverse();
    try {
      return await ask(body);
    } finally {
      for (const changes of undo) await change(...changes);
    }
  };
  const rowOf = async (requestId: string): Promise<ValidationRow> => {
    const { rows } = (await analyst.get(path('/validations?limit=100'))).json;
    return rows.find((row: ValidationRow) => row.requestId === requestId);
  };

  it('allow whatever the checks say, and the checks report what they found', async () => {
    const role = { email: 'info@mail-house.net', ip: ORDINARY };
    expect((await ask(role)).recommendation).toBe('flag');
    const allowed = await during([allow('info@mail-house.net')], role);
    expect(allowed).toMatchObject({
      recommendation: 'allow',
      message: null,
      checks: { roleEmail: { pass: false } },
    });
    expect(allowed.signals).toEqual(expect.arrayContaining(['role_email', 'allow_listed']));

    const throughTor = await during([allow('vip.customer@gmail.com')], {
      email: 'vip.customer@gmail.com',
      ip: TOR,
    });
    expect(throughTor).toMatchObject({ recommendation: 'allow', checks: { ip: { pass: false } } });
    const throwaway = await during([allow('mailinator.com')], { email: 'x@mailinator.com', ip: TOR });
    expect(throwaway).toMatchObject({
      recommendation: 'allow',
      checks: { disposable: { pass: false }, ip: { pass: false } },
    });
  });

  it('block a network that the policy only flags, with a message that gives no reason', async () => {
    const body = { email: 'jane.roe@gmail.com', ip: HOSTING };
    expect((await ask(body)).recommendation).toBe('flag');
    const blocked = await during([block('45.77.3.0/24')], body);
    expect(blocked).toMatchObject({ recommendation: 'block', message: MESSAGES.device });
    expect(blocked.signals).toContain('block_listed');
    const german = await during([block('45.77.3.0/24')], { ...body, locale: 'de' });
    expect(german.message).toMatch(/^Wir konnten/);
  });

  it('call nothing disposable, and no network bad', async () => {
    const body = { email: 'new.person@mail-house.net', ip: ORDINARY };
    const before = await ask(body);
    const blocked = await during([block('mail-house.net'), block('81.2.69.0/24')], body);
    expect(blocked.recommendation).toBe('block');
    expect(blocked.checks.disposable?.pass).toBe(true);
    expect(blocked.checks.ip).toMatchObject({ pass: true, metadata: { kind: 'ordinary' } });
    expect(blocked.signals).toEqual([...before.signals, 'block_listed']);
    expect((await analyst.get(path('/domains/mail-house.net/checks'))).json.domainClass).toBe('business');
  });

  it.each(['evil.person+1@gmail.com', 'e.v.i.l.person@gmail.com', 'EvilPerson@gmail.com'])(
    'cover every spelling of an inbox: %s',
    async (email) => {
      expect((await ask({ email })).recommendation).not.toBe('block');
      expect((await during([block('evil.person@gmail.com')], { email })).recommendation).toBe('block');
    },
  );

  it('cover domains, ranges, operators, countries, devices and people as the log shows them', async () => {
    const body = { email: 'sam@gmail.com', ip: '8.8.8.8', fingerprint: 'sams-device' };
    const seen = await project.validate(body, { 'x-request-id': 'seen-1' });
    const { asn, country } = seen.json.checks.ip.metadata;
    const row = await rowOf('seen-1');
    for (const entry of [
      'gmail.com',
      '8.8.8.8',
      '8.8.0.0/16',
      `AS${asn}`,
      `country:${country}`,
      `device:${row.device}`,
      `person:${row.inbox}`,
    ]) {
      const blocked = await during([block(entry)], body);
      expect([entry, blocked.recommendation]).toEqual([entry, 'block']);
      expect((await ask(body)).signals).not.toContain('block_listed');
    }
    const other = { email: 'max@outlook.com', ip: ORDINARY, fingerprint: 'another' };
    expect((await during([block(`person:${row.inbox}`)], other)).recommendation).not.toBe('block');
  });

  it('say before whom they concern: people, what is known of them, and their share of the sign-ups', async () => {
    const other = await service.makeProject();
    const sent = [
      { email: 'ann@mail-house.net', ip: '8.8.8.8', fingerprint: 'reach-1', requestId: 'ann' },
      { email: 'Ann@mail-house.net', ip: '8.8.8.8', requestId: 'ann-2' },
      { email: 'ben@eu.mail-house.net', ip: '8.8.8.9', fingerprint: 'reach-1', requestId: 'ben' },
      { email: 'cleo@gmail.com', ip: ORDINARY, fingerprint: 'reach-2', requestId: 'cleo' },
      { email: 'dan@notmail-house.net', requestId: 'dan' },
    ];
    for (const { requestId, ...body } of sent) await other.validate(body, { 'x-request-id': requestId });
    const { secret } = await service.admin((admin) =>
      createKey(admin, { projectId: other.id, type: 'server', mode: 'test' }),
    );
    const headers = { authorization: `Bearer ${secret}`, 'x-project-id': other.id };
    const test = JSON.stringify({ email: 'test@mail-house.net' });
    expect((await service.ask({ method: 'POST', path: '/validate', headers, body: test })).status).toBe(200);
    headers.authorization = `Bearer ${other.serverKey}`;
    const outcomes = [
      { requestId: 'ann', outcome: 'bad' },
      { requestId: 'cleo', outcome: 'good' },
      { requestId: 'dan', outcome: 'accepted' },
    ];
    const body = JSON.stringify({ outcomes });
    expect((await service.ask({ method: 'POST', path: '/v1/outcomes', headers, body })).status).toBe(200);
    const { rows } = (await analyst.get(`/projects/${other.id}/validations?mode=live`)).json;
    const cleo = rows.find((row: ValidationRow) => row.requestId === 'cleo') as ValidationRow;
    const reach = (...values: string[]) => analyst.post(`/projects/${other.id}/reach`, { values });
    const counts = async (...values: string[]) => {
      const { people, good, bad, unknown, share, since, days } = (await reach(...values)).json;
      expect([since, days]).toEqual([null, 30]);
      return [people, good, bad, unknown, share];
    };
    expect(await counts('mail-house.net')).toEqual([2, 0, 1, 1, 3 / 5]);
    for (const entry of ['8.8.8.0/24', '8.8.0.0/16', '8.8.8.77', 'AS15169'])
      expect(await counts(entry), entry).toEqual([2, 0, 1, 1, 3 / 5]);
    for (const entry of [`person:${cleo.inbox}`, `device:${cleo.device}`, 'c.leo+1@gmail.com', 'country:GB'])
      expect(await counts(entry), entry).toEqual([1, 1, 0, 0, 1 / 5]);
    expect(await counts('mail-house.net', `person:${cleo.inbox}`, 'AS15169')).toEqual([3, 1, 1, 1, 4 / 5]);
    const many = Array.from({ length: 1_999 }, (_, index) => `nobody-${index}.example`);
    expect(await counts(...many, 'gmail.com')).toEqual([1, 1, 0, 0, 1 / 5]);
    expect(await counts('nobody.example')).toEqual([0, 0, 0, 0, 0]);
    expect(await reach('gmail.com', 'no entry')).toMatchObject({ status: 400, json: { field: 'values' } });
  });

  it('decide by the more specific entry, and allow if both are equally specific', async () => {
    const body = { email: 'lena@mail-house.net', ip: '8.8.8.8' };
    const both = (allowed: string, blocked: string) => during([allow(allowed), block(blocked)], body);
    expect((await both('lena@mail-house.net', 'mail-house.net')).recommendation).toBe('allow');
    expect((await both('mail-house.net', 'lena@mail-house.net')).recommendation).toBe('block');
    expect((await both('8.8.8.8', '8.8.8.0/24')).recommendation).toBe('allow');
    expect((await both('8.8.0.0/16', '8.8.8.0/24')).recommendation).toBe('block');
    expect((await both('mail-house.net', '8.8.8.0/24')).recommendation).toBe('block');
    // One value is on one list only; the same inbox in two spellings can be on both.
    expect((await both('lena+a@mail-house.net', 'lena@mail-house.net')).recommendation).toBe('allow');
  });

  it('decide whatever `validations` says, and without the check that would look at it', async () => {
    const body = { email: 'tom@gmail.com', ip: '8.8.8.8', validations: { syntax: 'allow' } };
    const { asn, country } = (await ask({ ...body, validations: {} })).checks.ip?.metadata ?? {};
    for (const entry of ['gmail.com', '8.8.8.8', `AS${asn}`, `country:${country}`])
      expect((await during([block(entry)], body)).recommendation).toBe('block');
    const strict = { email: 'x@mailinator.com', validations: { disposable: 'block' } };
    expect((await during([allow('mailinator.com')], strict)).recommendation).toBe('allow');
  });

  it('hold until their end, with a note and an author', async () => {
    const add = { value: 'ended.example', note: 'for a while', expiresAt: Date.now() - 1 };
    await change({ list: 'blockList', add: { ...add, value: 'mail-house.net' } });
    expect((await ask({ email: 'ann@mail-house.net' })).recommendation).toBe('allow');
    await change({
      list: 'blockList',
      add: { ...add, value: 'mail-house.net', expiresAt: Date.now() + 60_000 },
    });
    expect((await ask({ email: 'ann@mail-house.net' })).recommendation).toBe('block');
    const { blockList } = (await analyst.get(path(''))).json;
    expect(blockList).toEqual([
      {
        value: 'mail-house.net',
        note: 'for a while',
        expiresAt: expect.any(Number),
        author: expect.stringMatching(/./),
      },
    ]);
    await change({ list: 'blockList', remove: 'mail-house.net' });
  });

  it('refuse what is no entry, and say what is', async () => {
    for (const value of ['nonsense', 'AS99999999999', 'country:Germany', 'person:short', '']) {
      const answer = await analyst.post(path('/lists'), { changes: [{ list: 'blockList', add: { value } }] });
      expect(answer.status).toBe(400);
      expect(answer.json.error).toContain('country:<XX>');
    }
    const number = await analyst.post(path('/lists'), {
      changes: [{ list: 'blockList', add: { value: 5 } }],
    });
    expect([number.status, number.json.error]).toEqual([400, 'changes.0.add.value must be a text.']);
  });

  it('are in the log, the verdict, webhooks, statistics, replay, playground and file check alike', async () => {
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
    const owner = await member(service, 'admin');
    const webhook = { url: `http://127.0.0.1:${port}/`, events: ['validation.blocked'] };
    expect((await owner.post(path('/webhooks'), webhook)).status).toBe(201);
    await block('outlook.com');
    const answer = await project.validate(
      { email: 'everywhere@outlook.com', ip: '8.8.8.8', validations: { syntax: 'allow' } },
      { 'x-request-id': 'everywhere', prefer: 'verdict' },
    );
    expect(answer.json.signals).toEqual(['block_listed'] satisfies Signal[]);

    const claims = JSON.parse(
      Buffer.from(answer.headers['x-postern-verdict']?.split('.')[1] ?? '', 'base64url').toString(),
    );
    expect(claims).toMatchObject({ recommendation: 'block', signals: ['block_listed'] });
    expect(claims).not.toHaveProperty('weakened');

    const row = await rowOf('everywhere');
    expect(row).toMatchObject({ recommendation: 'block', signals: ['block_listed'] });
    const listed = (await analyst.get(path('/validations?signal=block_listed'))).json.rows;
    expect(listed.map(({ requestId }: ValidationRow) => requestId)).toContain('everywhere');

    expect(JSON.parse(await delivered)).toMatchObject({
      type: 'validation.blocked',
      data: { requestId: 'everywhere', signals: ['block_listed'] },
    });

    const { totals } = (await analyst.get(path('/overview'))).json;
    expect(totals.block).toBeGreaterThan(0);

    // No policy undoes what a list decided.
    const actions = {
      syntax: 'off',
      disposable: 'off',
      mx: 'off',
      roleEmail: 'off',
      alias: 'off',
      ip: 'off',
    };
    const replayed = (await analyst.post(path('/time-machine'), { policy: { actions }, days: 1 })).json;
    const changed = replayed.changes.flatMap((each: { examples: ValidationRow[] }) => each.examples);
    expect(changed.map(({ requestId }: ValidationRow) => requestId)).not.toContain('everywhere');

    const tried = (await analyst.post(path('/playground'), { email: 'tried@outlook.com' })).json;
    expect(tried.body).toMatchObject({ recommendation: 'block', signals: ['block_listed'] });
    await change({ list: 'blockList', remove: 'outlook.com' });
    receiver.close().closeAllConnections();
  });

  it('decide for test keys and their sandbox addresses too', async () => {
    const { secret } = await service.admin((admin) =>
      createKey(admin, { projectId: project.id, type: 'server', mode: 'test' }),
    );
    const authorization = `Bearer ${secret}`;
    const sandbox = async (email: string) => (await project.validate({ email }, { authorization })).json;
    expect((await sandbox('block@postern.test')).recommendation).toBe('block');
    const undo = await allow('postern.test');
    expect(await sandbox('block@postern.test')).toMatchObject({
      recommendation: 'allow',
      signals: expect.arrayContaining(['allow_listed']),
    });
    await change(...undo);
  });

  it('hold from the next request on for every key, and leave their mark in the audit log', async () => {
    const domain = 'gmail.com';
    const email = `${randomBytes(6).toString('hex')}@${domain}`;
    expect((await project.validateFromPage({ email })).json.recommendation).toBe('allow');
    const undo = await block(domain);
    expect((await project.validateFromPage({ email })).json.recommendation).toBe('block');
    expect((await project.validate({ email })).json.recommendation).toBe('block');
    await change(...undo);
    expect((await project.validateFromPage({ email })).json.recommendation).toBe('allow');
    const owner = await member(service, 'admin');
    const audit = (await owner.get(`/audit?project=${project.id}`)).json;
    expect(JSON.stringify(audit)).toContain('"blockListAdded":[{"value":"gmail.com"}]');
  });
});
