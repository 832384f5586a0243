import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startStubService, UNKNOWN_SERVER_KEY } from '../../sdk/test/support/stub-service.ts';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { createPosternServerClient, type PosternServerClientOptions } from '../src/index.ts';

let service: TestService;
let project: TestProject;
let spent: TestProject;

beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
  spent = await service.makeProject({ quotaLimit: 1 });
  await spent.validate({ email: 'jane.doe@gmail.com' });
});
afterAll(() => service.close());
afterEach(() => {
  vi.restoreAllMocks();
});

const clientFor = (of: TestProject, options: Partial<PosternServerClientOptions> = {}) =>
  createPosternServerClient({
    baseUrl: service.url,
    projectId: of.id,
    apiKey: of.serverKey,
    maxRetries: 0,
    onProblem: () => {},
    timeoutMs: 60_000,
    ...options,
  });

describe('with an exhausted quota', () => {
  it('disposable addresses are refused by the service’s signed list, and others pass', async () => {
    const { evaluateSignUp } = clientFor(spent);
    expect(await evaluateSignUp({ email: 'x@sub.mailinator.com' })).toMatchObject({
      accepted: false,
      reason: 'blocked',
      message: 'Please use a permanent email address.',
    });
    expect(await evaluateSignUp({ email: 'jane.doe@gmail.com' })).toMatchObject({
      accepted: true,
      source: 'offline',
      failure: { kind: 'exhaustion', label: 'QUOTA_EXCEEDED' },
    });
  });

  it('the site can accept everybody, or nobody', async () => {
    const email = 'x@mailinator.com';
    const open = clientFor(spent, { whenExhausted: 'open' });
    expect(await open.evaluateSignUp({ email })).toMatchObject({ accepted: true, source: 'failOpen' });
    const closed = clientFor(spent, { whenExhausted: 'closed' });
    expect(await closed.evaluateSignUp({ email })).toMatchObject({ accepted: false, status: 503 });
  });

  it('a process that starts during an outage uses the list that another one kept', async () => {
    let kept: Uint8Array | null = null;
    const offlineListStore = {
      load: async () => kept,
      save: async (list: Uint8Array) => {
        kept = list;
      },
    };
    await clientFor(spent, { offlineListStore }).evaluateSignUp({ email: 'jane.doe@gmail.com' });
    const down = { baseUrl: 'http://127.0.0.1:9', whenUnavailable: 'offline', offlineListStore } as const;
    const judge = (email: string) => clientFor(project, down).evaluateSignUp({ email });
    expect(await judge('x@mailinator.com')).toMatchObject({ accepted: false, reason: 'blocked' });
    expect(await judge('jane.doe@gmail.com')).toMatchObject({ accepted: true, source: 'offline' });
    // A damaged one is none.
    kept = new Uint8Array([1, 2, 3]);
    expect(await judge('x@mailinator.com')).toMatchObject({ accepted: true, source: 'failOpen' });
  });

  it('a list that was changed in transit is not used', async () => {
    const tampering: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (!String(url).endsWith('/v1/lists/disposable')) return response;
      const bytes = new Uint8Array(await response.arrayBuffer());
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      return new Response(bytes, { status: 200 });
    };
    const { evaluateSignUp } = clientFor(spent, { fetch: tampering as never });
    expect(await evaluateSignUp({ email: 'x@mailinator.com' })).toMatchObject({ source: 'failOpen' });
  });
});

describe('with a wrong setting', () => {
  it('a key of the wrong type, a placeholder or a path throws immediately', () => {
    expect(() => clientFor(project, { apiKey: project.clientKey })).toThrow('server key');
    expect(() => clientFor(project, { apiKey: 'YOUR_SERVER_KEY' })).toThrow('placeholder');
    expect(() => clientFor(project, { baseUrl: `${service.url}/validate` })).toThrow('/validate');
    expect(() => createPosternServerClient(null as never)).toThrow('options are an object');
  });

  it('mistakes that show only at run time are logged as errors', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const { evaluateSignUp } = clientFor(project, { projectId: 'another' });
    for (let turn = 0; turn < 2; turn += 1) {
      const failure = { kind: 'misconfiguration', label: 'PROJECT_NOT_FOUND' };
      expect(await evaluateSignUp({ email: 'jane.doe@gmail.com' })).toMatchObject({
        accepted: true,
        failure,
      });
    }
    expect(log).toHaveBeenCalledTimes(1);
  });

  it('ping says what is wrong, and uses no quota', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const before = await project.validate({ email: 'jane.doe@gmail.com' });
    expect(await clientFor(project).ping()).toEqual({ ok: true, problems: [] });
    const after = await project.validate({ email: 'jane.doe@gmail.com' });
    expect(Number(after.headers['x-quota-used'])).toBe(Number(before.headers['x-quota-used']) + 1);

    const pinged = async (options: Partial<PosternServerClientOptions>) =>
      (await clientFor(project, options).ping()).problems;
    expect(await pinged({ apiKey: UNKNOWN_SERVER_KEY })).toEqual([expect.stringContaining('Check apiKey')]);
    expect(await pinged({ projectId: 'another' })).toEqual([expect.stringContaining('Check projectId')]);
    expect(await pinged({ baseUrl: `${service.url}/somewhere` })).toEqual([
      expect.stringContaining('Check baseUrl'),
      expect.stringContaining('verdict keys'),
    ]);
  });
});

it('a service that hangs delays a sign-up for at most timeoutMs, including the keys', async () => {
  const hanging = createServer(() => {});
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
  const stub = await startStubService(() => 'cut');
  const timeouts = vi.spyOn(globalThis, 'setTimeout');
  const { evaluateSignUp } = clientFor(project, { baseUrl, timeoutMs: 2_000 });
  const verdict = stub.signVerdict({ email: 'jane.doe@gmail.com' });
  const result = await evaluateSignUp({ email: 'jane.doe@gmail.com', verdict });
  expect(result).toMatchObject({ accepted: true, source: 'failOpen', failure: { label: 'TIMEOUT' } });
  // The waits in order: first for the keys, then for the service with the remaining time.
  const waits = timeouts.mock.calls.map(([, ms]) => ms ?? 0).filter((ms) => ms > 100 && ms <= 2_000);
  expect(waits[0]).toBe(800);
  expect(waits[1]).toBeLessThanOrEqual(1_200);
  await stub.close();
  hanging.closeAllConnections();
  hanging.close();
});

describe('a check that the backend requires', () => {
  const email = 'jane.doe@gmail.com';

  it('is reported as missing if neither page nor backend had its input', async () => {
    const { evaluateSignUp, validate } = clientFor(project, { requireChecks: ['device'] });
    const { verdict } = await validate(email);
    const refused = { accepted: false, reason: 'untrusted', verdictRefusal: 'missing_checks' };
    expect(await evaluateSignUp({ email, verdict })).toMatchObject({
      ...refused,
      message: 'Please check your email address and send the form again.',
    });
    // Sending the form again would not help a person whose browser runs no script.
    expect(await evaluateSignUp({ email }, { locale: 'de' })).toMatchObject({
      ...refused,
      message: expect.stringContaining('JavaScript in Ihrem Browser'),
    });
  });

  it('runs when the backend passes the fingerprint on', async () => {
    const { evaluateSignUp } = clientFor(project);
    for (const signUp of [{ fingerprintHash: 'abc' }, { fingerprint: 'abc' }]) {
      const result = await evaluateSignUp({ email, ...signUp }, { requireChecks: ['device'] });
      expect(result).toMatchObject({ accepted: true, source: 'service' });
    }
  });

  it('cannot be avoided by a fingerprint that the service refuses', async () => {
    const { evaluateSignUp } = clientFor(project);
    const result = await evaluateSignUp({ email: 'x@mailinator.com', fingerprintHash: 'x'.repeat(300) });
    expect(result).toMatchObject({ accepted: false, reason: 'blocked' });
  });
});
