import { Readable } from 'node:stream';
import { quotaExceeded } from '@postern/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  allowed,
  type StubAnswer,
  type StubService,
  startStubService,
} from '../../sdk/test/support/stub-service.ts';
import { authJsSignIn } from './adapters/auth-js.ts';
import { betterAuthPlugin } from './adapters/better-auth.ts';
import { expressGuard } from './adapters/express.ts';
import { checkEvent } from './adapters/h3.ts';
import { checkRequest } from './adapters/web-request.ts';
import { createPosternServerClient } from './postern-server-client.ts';
import type { PosternServerClientOptions } from './server-options.ts';
import type { AcceptedSignUp, RefusedSignUp } from './sign-up-result.ts';

let service: StubService;
let answer: StubAnswer;
beforeEach(async () => {
  answer = allowed();
  service = await startStubService(() => answer);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await service.close();
});

const client = (options: PosternServerClientOptions = {}) =>
  createPosternServerClient({
    baseUrl: service.url,
    projectId: 'demo',
    apiKey: 'server-key',
    maxRetries: 0,
    timeoutMs: 60_000,
    onProblem: () => {},
    ...options,
  });

const CHECKS = ['syntax', 'disposable', 'mx', 'roleEmail', 'alias'] as const;
const passing = { pass: true, latency: 0.1 };
const failing = { pass: false, error: 'no', latency: 0.1 };
const flagged = allowed({
  checks: {
    syntax: passing,
    mx: { ...passing, metadata: { suggestion: 'gmail.com' } },
    alias: { ...failing, metadata: { canonical: 'janedoe@gmail.com' } },
  },
  recommendation: 'flag',
  signals: ['alias_detected'],
});

describe('a result is complete', () => {
  it('by a verdict, accepted and refused', async () => {
    const claims = {
      email: 'janedoe+x@gmail.com',
      checks: [...CHECKS],
      without: ['device' as const],
      requestId: 'request-1',
    };
    const verdict = service.signVerdict({ ...claims, recommendation: 'flag', signals: ['alias_detected'] });
    const facts = {
      steppedUp: null,
      email: 'janedoe+x@gmail.com',
      typed: 'Janedoe+x@gmail.com',
      canonical: null,
      suggestion: null,
      signals: ['alias_detected'],
      checks: CHECKS,
      failedCheck: 'alias',
      without: ['device'],
      requestId: 'request-1',
      verdictRefusal: null,
      failure: null,
    };
    expect(await client().evaluateSignUp({ email: ' Janedoe+x@gmail.com ', verdict })).toEqual({
      accepted: true,
      ...facts,
      recommendation: 'flag',
      source: 'verdict',
      claim: null,
      wouldRefuse: null,
    });
    const block = service.signVerdict({ ...claims, recommendation: 'block', signals: ['alias_detected'] });
    expect(await client().evaluateSignUp({ email: 'Janedoe+x@gmail.com', verdict: block })).toEqual({
      accepted: false,
      ...facts,
      recommendation: 'block',
      source: 'verdict',
      reason: 'blocked',
      status: 422,
      message: expect.any(String),
      language: 'en',
    });
  });

  it('by asking the service, with a suggestion, the canonical inbox and why the verdict was not used', async () => {
    answer = flagged;
    const old = Math.floor(Date.now() / 1000) - 3_600;
    const verdict = service.signVerdict({ email: 'janedoe+x@gmial.com', iat: old, exp: old + 600 });
    expect(await client().evaluateSignUp({ email: 'janedoe+x@gmial.com', verdict })).toMatchObject({
      accepted: true,
      canonical: 'janedoe@gmail.com',
      suggestion: 'janedoe+x@gmail.com',
      checks: ['syntax', 'mx', 'alias'],
      failedCheck: 'alias',
      requestId: expect.stringMatching(/^[\w-]{36}$/),
      verdictRefusal: 'expired',
      source: 'service',
    });
  });

  it('in every adapter, also for people whom no handler sees', async () => {
    answer = flagged;
    const seen: AcceptedSignUp[] = [];
    const onAccepted = (signUp: AcceptedSignUp) => {
      seen.push(signUp);
    };
    await authJsSignIn(client(), { onAccepted })({ user: { email: 'jane@example.com' } });
    const { hooks } = betterAuthPlugin(client(), { onAccepted });
    await hooks.before[0]?.handler({ body: { email: 'jane@example.com' }, headers: {} });
    const request = new Request('http://site.test', {
      method: 'POST',
      body: new URLSearchParams({ email: 'jane@example.com' }),
    });
    const checked = await checkRequest(client(), request);
    if (checked.accepted) seen.push(checked.signUp);
    expect(seen).toHaveLength(3);
    for (const signUp of seen)
      expect(signUp).toMatchObject({ canonical: 'janedoe@gmail.com', source: 'service' });
  });

  it('and a refused person gets the suggestion, as JSON and as a page', async () => {
    answer = allowed({
      checks: { syntax: passing, mx: failing },
      recommendation: 'block',
      message: 'No mail.',
    });
    const post = (accept: string) =>
      checkRequest(
        client(),
        new Request('http://site.test', {
          method: 'POST',
          headers: { accept },
          body: new URLSearchParams({ email: 'janedoe@gmial.com' }),
        }),
      );
    const [json, page] = [await post('*/*'), await post('text/html')];
    if (json.accepted || page.accepted) throw new Error('it was accepted');
    expect(json.refusal).toMatchObject({
      failedCheck: 'mx',
      suggestion: 'janedoe@gmail.com',
      email: 'janedoe@gmial.com',
    });
    expect(await json.response.json()).toEqual({ error: 'No mail.', suggestion: 'janedoe@gmail.com' });
    expect(await page.response.text()).toContain('<p>Did you mean janedoe@gmail.com?</p>');
  });
});

describe('a quoted local part, which can hold a script', () => {
  const email = '"<svg/onload=alert(1)>"@example.com';

  it.each([
    ['the service is down', 'cut' as const],
    ['the limit is used up', { refusal: quotaExceeded({ limit: 1, used: 1, remaining: 0, resetAt: '' }) }],
    ['the key is wrong', { status: 401, text: '{"error":"Invalid API key"}' }],
  ])('does not pass while %s', async (_, given) => {
    vi.spyOn(console, 'error').mockReturnValue();
    answer = given;
    const postern = client();
    expect(await postern.evaluateSignUp({ email })).toMatchObject({ accepted: false, reason: 'malformed' });
    expect(await postern.evaluateSignUp({ email: 'jane@example.com' })).toMatchObject({ accepted: true });
  });
});

describe('a client without its environment', () => {
  it('is created, so that a build needs no secrets, logs at the start what is missing, and lets people pass', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    for (const name of ['POSTERN_URL', 'POSTERN_PROJECT_ID', 'POSTERN_SERVER_KEY']) vi.stubEnv(name, '');
    const postern = createPosternServerClient({ projectId: 'demo', apiKey: undefined });
    const missing = 'baseUrl (or POSTERN_URL in the environment) and apiKey (or POSTERN_SERVER_KEY';
    await expect.poll(() => logged.mock.calls.flat()).toEqual([expect.stringContaining(missing)]);
    const unchecked = await postern.evaluateSignUp({ email: 'jane@example.com' });
    // As with a wrong key.
    expect(unchecked).toMatchObject({
      accepted: true,
      source: 'failOpen',
      failure: { kind: 'misconfiguration', message: expect.stringContaining(missing) },
    });
    const closed = createPosternServerClient({ projectId: 'demo', whenUnavailable: 'closed' });
    expect(await closed.evaluateSignUp({ email: 'jane@example.com' })).toMatchObject({ status: 503 });
    expect(await postern.ping()).toMatchObject({ ok: false, problems: [expect.stringContaining(missing)] });
    vi.stubEnv('POSTERN_URL', service.url);
    vi.stubEnv('POSTERN_SERVER_KEY', 'server-key');
    expect(await postern.ping()).toEqual({ ok: true, problems: [] });
    expect(await postern.evaluateSignUp({ email: 'jane@example.com' })).toMatchObject({ source: 'service' });
    expect(service.requests.at(-1)?.headers).toMatchObject({ 'x-project-id': 'demo' });
  });

  it('logs at the start that the service cannot be asked', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    vi.stubEnv('POSTERN_URL', 'http://127.0.0.1:1');
    createPosternServerClient({ projectId: 'demo', apiKey: 'server-key', onProblem: () => {} });
    await expect
      .poll(() => logged.mock.calls.flat().join())
      .toMatch(/^Postern checks nobody: .*Check baseUrl, and that the service runs/);
  });

  it('still throws at once for a mistake in what is given', () => {
    const given = { baseUrl: service.url, projectId: 'demo' };
    const key = 'pst_client_live_0123456789ABCDEFGHIJKLMNOPQRST';
    expect(() => createPosternServerClient({ ...given, apiKey: key })).toThrow('client key in a backend');
    const misspelt = { whenUnavailble: 'closed' } as PosternServerClientOptions;
    expect(() => createPosternServerClient(misspelt)).toThrow('“whenUnavailable”');
    expect(() => expressGuard(client(), { emailfield: 'mail' } as object)).toThrow('“emailField”');
  });
});

it('a dry run refuses nobody and reports whom it would have refused', async () => {
  answer = allowed({ recommendation: 'block', signals: ['tor_exit'], message: 'No.' });
  const refusals: RefusedSignUp[] = [];
  const request = new Request('http://site.test', {
    method: 'POST',
    body: new URLSearchParams({ email: 'jane@example.com' }),
  });
  const checked = await checkRequest(client(), request, {
    dryRun: true,
    onRefused: (refusal) => refusals.push(refusal),
  });
  expect(checked).toMatchObject({
    accepted: true,
    signUp: { email: 'jane@example.com', recommendation: 'flag', wouldRefuse: { reason: 'blocked' } },
  });
  expect(refusals).toMatchObject([{ reason: 'blocked', signals: ['tor_exit'], message: 'No.' }]);
});

it('debug mode says why a verdict was not used, with the address masked', async () => {
  const info = vi.spyOn(console, 'info').mockReturnValue();
  const postern = client({ debug: true });
  const verdict = service.signVerdict({ email: 'other@example.com' });
  await postern.evaluateSignUp({ email: 'jane.doe@example.com', verdict });
  await postern.evaluateSignUp({ email: 'jane.doe@example.com' });
  const lines = info.mock.calls.map(([line]) => String(line));
  expect(lines[0]).toMatch(
    /^Postern: j\*\*\*@example\.com refused \(untrusted\).*wrong_address.*another address/,
  );
  expect(lines[1]).toMatch(/accepted \(allow\); by service; request /);
  expect(lines.join()).not.toContain('jane.doe');
});

describe('h3 1', () => {
  interface Event {
    readonly node: { readonly req: Readable & { headers: Record<string, string> } };
    _requestBody?: unknown;
  }
  const event = (bytes: number): { body: string; event: Event } => {
    const boundary = '--b\r\nContent-Disposition: form-data; name=';
    const body = `${boundary}"avatar"; filename="a.png"\r\n\r\n${'x'.repeat(bytes)}\r\n${boundary}"email"\r\n\r\njane@example.com\r\n--b--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    return {
      body,
      event: { node: { req: Object.assign(Readable.from([Buffer.from(body)]), { headers }) } },
    };
  };

  it('lets an upload beside the form through, whole', async () => {
    const upload = event(2 * 1024 * 1024);
    expect(await checkEvent(client(), upload.event)).toBe(null);
    expect(Buffer.from(upload.event._requestBody as Uint8Array).toString()).toBe(upload.body);
  });

  it('answers 413 to a body that is too large', async () => {
    expect((await checkEvent(client(), event(33 * 1024 * 1024).event))?.status).toBe(413);
  });
});
