import { CHECK_NAMES } from '@postern/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestProject, type TestService, updateProject } from './support/service.ts';

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
});
afterAll(() => service.close());

const device = () => Math.random().toString(36).slice(2);

describe('the answer to an ordinary address', () => {
  it('has the document’s fields and no other', async () => {
    const { status, json } = await project.validate({ email: 'Jane.Doe@Gmail.com' });
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(['checks', 'message', 'metadata', 'recommendation', 'signals']);
    expect(json).toMatchObject({ recommendation: 'allow', message: null, signals: [] });
    expect(json.metadata).toEqual({
      fingerprintHash: null,
      previousSignups: 0,
      totalLatency: expect.any(Number),
    });
    for (const check of Object.values<{ pass: boolean; latency: number }>(json.checks)) {
      expect(check.pass).toBe(true);
      expect(check.latency).toBeGreaterThanOrEqual(0);
    }
    expect(json.checks.syntax.metadata.normalized).toBe('jane.doe@gmail.com');
  });

  it('carries quota, rate, request and verdict headers', async () => {
    const { headers } = await project.validate({ email: 'jane.doe@gmail.com' });
    const used = Number(headers['x-quota-used']);
    expect(Number(headers['x-quota-limit'])).toBe(10_000);
    expect(Number(headers['x-quota-remaining'])).toBe(10_000 - used);
    expect(headers['x-quota-reset']).toMatch(/^\d{4}-\d{2}-01T00:00:00(\.000)?Z$/);
    expect(Number(headers['x-ratelimit-limit'])).toBe(5_000);
    expect(Number(headers['x-ratelimit-remaining'])).toBeLessThan(5_000);
    expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1000 + 3_000);
    expect(headers['x-request-id']).toBeTruthy();
    expect(headers['x-postern-verdict']).toBeUndefined();
    expect(headers['content-type']).toMatch(/^application\/json/);
  });

  it('is the same on both paths', async () => {
    for (const path of ['/validate', '/v1/validate', '/validate?x=1']) {
      const answer = await service.ask({
        method: 'POST',
        path,
        headers: { authorization: `bearer ${project.serverKey}`, 'x-project-id': project.id },
        body: '{"email":"jane.doe@gmail.com"}',
      });
      expect(answer.status, path).toBe(200);
    }
  });

  it('echoes a sane request ID and replaces any other', async () => {
    const sane = await project.validate({ email: 'jane.doe@gmail.com' }, { 'x-request-id': 'order-42' });
    expect(sane.headers['x-request-id']).toBe('order-42');
    const other = await project.validate({ email: 'jane.doe@gmail.com' }, { 'x-request-id': 'a b"c' });
    expect(other.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('addresses that ordinary people use', () => {
  it.each(['jan.van.der.berg@gmail.com', 'j.r.r.tolkien@gmail.com'])('%s is not an alias', async (email) => {
    const { json } = await project.validate({ email, validations: { alias: 'block' } });
    expect(json.checks.alias).toMatchObject({ pass: true, metadata: { kind: 'dots' } });
  });

  it('dots that split a name into pieces of two letters make an alias', async () => {
    const { json } = await project.validate({
      email: 'ja.ne.do.e1@gmail.com',
      validations: { alias: 'flag' },
    });
    expect(json).toMatchObject({ recommendation: 'flag', signals: ['alias_detected'] });
    expect(json.checks.alias.metadata.canonical).toBe('janedoe1@gmail.com');
  });

  it.each(['jane@example.com', 'jane@mail.example.net', 'jane@example.org'])(
    '%s is well-formed',
    async (email) => {
      const { json } = await project.validate({ email, validations: { syntax: 'block' } });
      expect(json).toMatchObject({ recommendation: 'allow', checks: { syntax: { pass: true } } });
    },
  );
});

describe('a device whose earlier addresses were blocked', () => {
  it('has no earlier sign-ups, and reports how many were blocked', async () => {
    const own = await service.makeProject();
    const fingerprint = device();
    const ask = async (email: string) => (await own.validate({ email, fingerprint })).json;
    for (const name of ['one', 'two', 'three', 'four']) {
      expect(await ask(`${name}@mailinator.com`)).toMatchObject({
        recommendation: 'block',
        metadata: { previousSignups: 0 },
      });
    }
    const real = await ask('jane.doe@gmail.com');
    expect(real).toMatchObject({ recommendation: 'allow', signals: [], metadata: { previousSignups: 0 } });
    expect(real.checks.device).toMatchObject({
      pass: true,
      metadata: { otherAddresses: 0, blockedAttempts: 4 },
    });
    expect(await ask('john@outlook.com')).toMatchObject({
      signals: ['device_reuse'],
      metadata: { previousSignups: 1 },
    });
  });
});

describe('which checks run', () => {
  it('without input for device and ip, the other five run', async () => {
    const { json } = await project.validate({ email: 'jane.doe@gmail.com' });
    expect(Object.keys(json.checks)).toEqual(['syntax', 'disposable', 'mx', 'roleEmail', 'alias']);
  });

  it('with all inputs, all seven run in order', async () => {
    const { json } = await project.validate({
      email: 'jane.doe@gmail.com',
      ip: '127.0.0.9',
      fingerprintHash: device(),
    });
    expect(Object.keys(json.checks)).toEqual([...CHECK_NAMES]);
  });

  it('exactly the ones in validations run, and all for an empty object', async () => {
    const named = await project.validate({
      email: 'admin@gmail.com',
      validations: { roleEmail: 'block', syntax: 'allow' },
    });
    expect(Object.keys(named.json.checks)).toEqual(['syntax', 'roleEmail']);
    expect(named.json.recommendation).toBe('block');
    const empty = await project.validate({ email: 'jane.doe@gmail.com', validations: {} });
    expect(Object.keys(empty.json.checks)).toHaveLength(5);
  });

  it('a check that fails with the action allow is shown but changes nothing', async () => {
    const { json } = await project.validate({
      email: 'admin@mail-house.net',
      validations: { roleEmail: 'allow' },
    });
    expect(json).toMatchObject({ recommendation: 'allow', message: null, signals: ['role_email'] });
    expect(json.checks.roleEmail.pass).toBe(false);
  });
});

describe('what each check finds', () => {
  it.each([
    ['a@mailinator.com', 'disposable', 'disposable_email', 'block'],
    ['jane.doe@no-such-domain-here.com', 'mx', 'domain_not_found', 'block'],
    ['admin@mail-house.net', 'roleEmail', 'role_email', 'flag'],
    ['jane.doe+shop@gmail.com', 'alias', 'alias_detected', 'flag'],
  ])('%s fails %s with %s and the recommendation is %s', async (email, check, signal, recommendation) => {
    const { json } = await project.validate({ email });
    expect(json.checks[check]).toMatchObject({ pass: false, error: expect.any(String) });
    expect(json.signals).toContain(signal);
    expect(json.recommendation).toBe(recommendation);
    expect(json.message).toEqual(expect.any(String));
  });

  it('an unusable address fails the syntax check, not the request', async () => {
    const { status, json } = await project.validate({ email: '"quoted"@gmail.com' });
    expect(status).toBe(200);
    expect(json.checks.syntax.pass).toBe(false);
    expect(json.recommendation).toBe('block');
  });

  it('ip checks the ip field of a server key and shows it', async () => {
    const { json } = await project.validate({ email: 'jane.doe@gmail.com', ip: '10.1.2.3' });
    expect(json.checks.ip).toMatchObject({ pass: true, metadata: { address: '10.1.2.3', kind: 'private' } });
  });
});

describe('device', () => {
  it('counts distinct inboxes and fails at the third other one', async () => {
    const fingerprintHash = device();
    const ask = (email: string) => project.validateFromPage({ email, fingerprintHash });
    const counts: number[] = [];
    const passes: boolean[] = [];
    const signals: string[][] = [];
    for (const email of [
      'ann.one@gmail.com',
      'ann.one@gmail.com',
      'annone@gmail.com',
      'bob.two@gmail.com',
      'cas.three@gmail.com',
      'dan.four@gmail.com',
    ]) {
      const { json } = await ask(email);
      expect(json.metadata.fingerprintHash).toBe(fingerprintHash);
      counts.push(json.metadata.previousSignups);
      passes.push(json.checks.device.pass);
      signals.push(json.signals.filter((signal: string) => signal.startsWith('device')));
    }
    expect(counts).toEqual([0, 1, 1, 1, 2, 3]);
    expect(passes).toEqual([true, true, true, true, true, false]);
    expect(signals).toEqual([
      [],
      [],
      [],
      ['device_reuse'],
      ['device_reuse', 'device_seen_2_times'],
      ['device_reuse', 'device_seen_3_times'],
    ]);
  });

  it('does not know another project’s device', async () => {
    const fingerprintHash = device();
    const other = await service.makeProject();
    await project.validate({ email: 'eve.five@gmail.com', fingerprintHash });
    const { json } = await other.validate({ email: 'fay.six@gmail.com', fingerprint: fingerprintHash });
    expect(json.metadata).toMatchObject({ fingerprintHash, previousSignups: 0 });
  });

  it('recognises an inbox in another spelling', async () => {
    await project.validate({ email: 'gus.seven@gmail.com' });
    const { json } = await project.validate({ email: 'gusseven@gmail.com' });
    expect(json.signals).toContain('alias_reuse');
    expect(json.checks.alias.pass).toBe(false);
  });
});

describe('client overrides', () => {
  it('are ignored or can only tighten if the project says so, and do not affect server keys', async () => {
    const ask = (validations: object) =>
      project.validateFromPage({ email: 'admin@mail-house.net', validations });
    await service.admin((admin) =>
      updateProject(admin, project.id, { policy: { clientOverrides: 'ignore' } }),
    );
    expect((await ask({ roleEmail: 'allow' })).json.recommendation).toBe('flag');
    await service.admin((admin) =>
      updateProject(admin, project.id, { policy: { clientOverrides: 'tighten' } }),
    );
    expect((await ask({ roleEmail: 'allow' })).json.recommendation).toBe('flag');
    expect((await ask({ roleEmail: 'block' })).json.recommendation).toBe('block');
    const fromServer = await project.validate({
      email: 'admin@mail-house.net',
      validations: { roleEmail: 'allow' },
    });
    expect(fromServer.json.recommendation).toBe('allow');
    await service.admin((admin) =>
      updateProject(admin, project.id, { policy: { clientOverrides: 'allow' } }),
    );
    expect((await ask({ roleEmail: 'allow' })).json.recommendation).toBe('allow');
  });
});
