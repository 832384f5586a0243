import { API_ERRORS, apiError, originNotAllowed, quotaExceeded, rateLimited } from '@postern/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { allowed, blocked, type StubAnswer, startStubService } from '../test/support/stub-service.ts';
import type { ClientOptions, ServerFallback } from './client-options.ts';
import { startDeviceHash } from './device-hash.ts';
import { isPosternError, type PosternError } from './postern-error.ts';
import type { Timing } from './timing.ts';
import { createValidationClient, type OfflineCheck, type Platform } from './validation-client.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A client for a service that gives these answers in turn. Waits are recorded instead of slept. */
async function clientFor(
  answers: StubAnswer[],
  options: Partial<ClientOptions<ServerFallback>> = {},
  platform: Partial<Platform> = {},
) {
  const service = await startStubService((_, index) => answers[Math.min(index, answers.length - 1)] ?? 'cut');
  closers.push(service.close);
  const waitsMs: number[] = [];
  let nowMs = 0;
  const timing: Timing = {
    now: () => nowMs,
    sleep: async (ms) => {
      waitsMs.push(ms);
      nowMs += ms;
    },
    random: () => 0.5,
  };
  const all = { baseUrl: `${service.url}/`, projectId: 'demo', apiKey: 'key', ...options };
  return { client: createValidationClient(all, { name: 'test', timing, ...platform }), service, waitsMs };
}

async function failureOf(promise: Promise<unknown>): Promise<PosternError> {
  const error = await promise.catch((caught: unknown) => caught);
  if (!isPosternError(error)) throw new Error(`expected a PosternError, got ${String(error)}`);
  return error;
}

const INTERNAL: StubAnswer = { refusal: apiError('INTERNAL') };

describe('an answer', () => {
  it('carries the body, the verdict, the limits and the request’s ID', async () => {
    const { client, service } = await clientFor([blocked()]);
    const validation = await client.validate('x@mailinator.com', { fingerprintHash: 'abc' });
    expect(validation).toMatchObject({
      recommendation: 'block',
      message: 'Please use a permanent email address.',
      signals: ['disposable_email'],
      source: 'service',
      failure: null,
      quota: { limit: 1000, used: 12, remaining: 988, resetAt: '2030-01-01T00:00:00.000Z' },
      rate: { limit: 1000, remaining: 997, reset: 1893456000 },
    });
    expect(validation.verdict?.split('.')).toHaveLength(3);
    expect(validation.requestId).toMatch(/^[\w-]{36}$/);
    const [request] = service.requests;
    expect(request?.path).toBe('/validate');
    expect(request?.headers.authorization).toBe('Bearer key');
    expect(request?.headers['x-project-id']).toBe('demo');
    expect(request?.body).toEqual({
      email: 'x@mailinator.com',
      fingerprintHash: 'abc',
      sdkVersion: 'test/0.1.0',
    });
  });

  it('turns the suggested domain into a whole address', async () => {
    const mx = { pass: true, latency: 1, metadata: { suggestion: 'gmail.com' } };
    const { client } = await clientFor([allowed({ checks: { mx } })]);
    expect((await client.validate(' Jane@gmial.com ')).suggestion).toBe('Jane@gmail.com');
  });

  it('that does not come from the service fails open, with the reason', async () => {
    const { client } = await clientFor([{ status: 200, text: '<html>Sign in to the hotel Wi-Fi</html>' }]);
    const validation = await client.validate('a@b.co');
    expect(validation).toMatchObject({ recommendation: 'allow', source: 'failOpen', verdict: null });
    expect(validation.failure?.label).toBe('UNEXPECTED_ANSWER');
  });
});

describe('a refusal', () => {
  const facts = { limit: 5, used: 5, remaining: 0, resetAt: '2030-01-01T00:00:00.000Z' };
  const rows = Object.keys(API_ERRORS) as (keyof typeof API_ERRORS)[];

  it.each(rows)('%s has the documented label', async (name) => {
    const special = {
      QUOTA_EXCEEDED: quotaExceeded(facts),
      RATE_LIMITED: rateLimited(1000, 7),
      ORIGIN_NOT_ALLOWED: originNotAllowed('https://evil.example'),
    };
    const refusal = name in special ? special[name as keyof typeof special] : apiError(name);
    const { client } = await clientFor([{ refusal }], {
      maxRetries: 0,
      whenUnavailable: 'throw',
      whenExhausted: 'throw',
    });
    const error = await failureOf(client.validate('a@b.co'));
    expect(error).toMatchObject({ label: API_ERRORS[name].label, status: API_ERRORS[name].status });
    expect(error.message).toBe(refusal.body.error);
    expect(error.requestId).not.toBeNull();
  });

  it('402 has the quota’s numbers', async () => {
    const { client } = await clientFor([{ refusal: quotaExceeded(facts) }], { whenExhausted: 'throw' });
    expect(await failureOf(client.validate('a@b.co'))).toMatchObject({ label: 'QUOTA_EXCEEDED', ...facts });
  });

  it('429 from a proxy still says when to retry', async () => {
    const answer = { status: 429, text: 'slow down', headers: { 'Retry-After': '9' } };
    const { client } = await clientFor([answer], { whenExhausted: 'throw' });
    expect(await failureOf(client.validate('a@b.co'))).toMatchObject({
      label: 'RATE_LIMITED',
      retryAfter: 9,
      limit: null,
    });
  });

  it.each([
    'EMAIL_MALFORMED',
    'BODY_NOT_JSON',
    'KEY_INVALID',
    'PROJECT_FORBIDDEN',
    'ORIGIN_MISSING',
  ] as const)('%s is never retried', async (name) => {
    const { client, service, waitsMs } = await clientFor([{ refusal: apiError(name) }, allowed()]);
    await failureOf(client.validate('a@b.co'));
    expect(service.requests).toHaveLength(1);
    expect(waitsMs).toEqual([]);
  });

  it('402 is never retried', async () => {
    const { client, service } = await clientFor([{ refusal: quotaExceeded(facts) }, allowed()], {
      whenExhausted: 'throw',
    });
    await failureOf(client.validate('a@b.co'));
    expect(service.requests).toHaveLength(1);
  });
});

describe('retries', () => {
  it('come after a 500 with growing waits, at most three times', async () => {
    const { client, service, waitsMs } = await clientFor([INTERNAL], { whenUnavailable: 'throw' });
    expect((await failureOf(client.validate('a@b.co'))).label).toBe('INTERNAL_ERROR');
    expect(service.requests).toHaveLength(4);
    expect(waitsMs).toEqual([187.5, 375, 750]);
  });

  it('end with the first good answer', async () => {
    const { client, service } = await clientFor([INTERNAL, { refusal: rateLimited(5, 1) }, allowed()]);
    expect((await client.validate('a@b.co')).source).toBe('service');
    expect(service.requests).toHaveLength(3);
  });

  it('wait as long as Retry-After says', async () => {
    const { client, waitsMs } = await clientFor([{ refusal: rateLimited(5, 2), retryAfter: 2 }, allowed()]);
    await client.validate('a@b.co');
    expect(waitsMs).toEqual([2125]);
  });

  it('stop immediately if the wait would be longer than the call may take', async () => {
    const { client, service, waitsMs } = await clientFor([{ refusal: rateLimited(5, 1800) }], {
      whenExhausted: 'throw',
    });
    const error = await failureOf(client.validate('a@b.co'));
    expect(error).toMatchObject({ label: 'RATE_LIMITED', retryAfter: 1800, limit: 5, window: '1h' });
    expect(service.requests).toHaveLength(1);
    expect(waitsMs).toEqual([]);
  });

  it('can be switched off', async () => {
    const { client, service } = await clientFor([INTERNAL, allowed()], { maxRetries: 0 });
    expect((await client.validate('a@b.co')).source).toBe('failOpen');
    expect(service.requests).toHaveLength(1);
  });
});

describe('an unreachable service', () => {
  it('is tried once more, then the address is allowed by default and marked as unchecked', async () => {
    const { client, service } = await clientFor(['cut']);
    const validation = await client.validate('a@b.co', { fingerprintHash: 'abc' });
    expect(service.requests).toHaveLength(2);
    expect(validation).toMatchObject({
      recommendation: 'allow',
      message: null,
      source: 'failOpen',
      checks: {},
      metadata: { fingerprintHash: 'abc', previousSignups: 0 },
    });
    expect(validation.failure?.label).toBe('UNREACHABLE');
  });

  it('blocks with a message if so configured', async () => {
    const { client } = await clientFor(['cut'], { whenUnavailable: 'closed' });
    const validation = await client.validate('a@b.co');
    expect(validation).toMatchObject({ recommendation: 'block', source: 'failClosed' });
    expect(validation.message).toMatch(/try again/);
  });

  it('throws if so configured', async () => {
    const { client } = await clientFor(['cut'], { whenUnavailable: 'throw' });
    expect(await failureOf(client.validate('a@b.co'))).toMatchObject({ label: 'UNREACHABLE', status: 0 });
  });

  it('ends with the timeout', async () => {
    const { client } = await clientFor(['silence'], { timeoutMs: 30 });
    expect((await client.validate('a@b.co')).failure?.label).toBe('TIMEOUT');
  });
});

describe('an abort signal', () => {
  it('ends a call that waits for its answer', async () => {
    const { client } = await clientFor(['silence']);
    const controller = new AbortController();
    const promise = client.validate('a@b.co', { signal: controller.signal });
    controller.abort();
    expect((await failureOf(promise)).label).toBe('ABORTED');
  });

  it('that has already fired sends nothing', async () => {
    const { client, service } = await clientFor([allowed()]);
    const error = await failureOf(client.validate('a@b.co', { signal: AbortSignal.abort() }));
    expect(error.label).toBe('ABORTED');
    expect(service.requests).toHaveLength(0);
  });
});

it.each(['baseUrl', 'projectId', 'apiKey'] as const)('a client without %s throws immediately', (name) => {
  const options = { baseUrl: 'http://127.0.0.1', projectId: 'p', apiKey: 'k', [name]: ' ' };
  expect(() => createValidationClient(options)).toThrow(name);
});

describe('wrong options', () => {
  const good = { baseUrl: 'https://postern.test', projectId: 'demo', apiKey: 'key' };

  it.each([
    ['apiKey', { apiKey: 'schlüssel' }],
    ['apiKey', { apiKey: 'YOUR_SERVER_KEY' }],
    ['apiKey', { apiKey: undefined as never }],
    ['projectId', { projectId: 'YOUR_PROJECT_ID' }],
    ['baseUrl', { baseUrl: 'https://postern.example.com' }],
    ['baseUrl', { baseUrl: 'https://postern.test/validate' }],
    ['baseUrl', { baseUrl: 'https://postern.test/v1/' }],
    ['whenExhausted', { whenExhausted: 'maybe' as never }],
    ['apiKey', { apiKey: 'two words' }],
    ['projectId', { projectId: '' }],
    ['baseUrl', { baseUrl: 'postern.example.com' }],
    ['baseUrl', { baseUrl: undefined as never }],
    ['whenUnavailable', { whenUnavailable: 'failopen' as never }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['maxRetries', { maxRetries: Number.NaN }],
    ['maxRetries', { maxRetries: -1 }],
  ])('throw because of %s: %j', (name, options) => {
    expect(() => createValidationClient({ ...good, ...options })).toThrow(name);
  });

  it('throw with the list of required options if there are none', () => {
    expect(() => createValidationClient(undefined as never)).toThrow('{ baseUrl, projectId, apiKey }');
  });

  it.each(['client', 'server'] as const)('throw for a key of the other type: %s', (keyType) => {
    const make = (apiKey: string) => createValidationClient({ ...good, apiKey }, { name: 'test', keyType });
    expect(() => make(`pst_${keyType}_live_x`)).not.toThrow();
    expect(() => make(`pst_${keyType === 'client' ? 'server' : 'client'}_live_x`)).toThrow(
      `a ${keyType} key`,
    );
  });

  it('are not an upper-case host or a path of the page’s own site', () => {
    for (const baseUrl of ['https://prüfung.example', '/postern'])
      createValidationClient({ ...good, baseUrl });
  });

  it('are not a line break after a key', async () => {
    const { client, service } = await clientFor([allowed()], { apiKey: 'key\n' });
    await client.validate('jane@example.com');
    expect(service.requests[0]?.headers.authorization).toBe('Bearer key');
  });
});

describe('time', () => {
  it('can be unlimited', async () => {
    const { client } = await clientFor([allowed()], { timeoutMs: Number.POSITIVE_INFINITY });
    expect((await client.validate('jane@example.com')).source).toBe('service');
  });

  it('follows the date in Retry-After from a proxy', async () => {
    const inTwoSeconds = new Date(Date.now() + 2_000).toUTCString();
    const busy = { status: 503, text: 'busy', headers: { 'Retry-After': inTwoSeconds } };
    const { client, waitsMs } = await clientFor([busy, allowed()]);
    await client.validate('jane@example.com');
    expect(waitsMs).toHaveLength(1);
    // HTTP dates have no fractions of a second.
    expect(waitsMs[0]).toBeGreaterThanOrEqual(1_000);
    expect(waitsMs[0]).toBeLessThanOrEqual(2_250);
  });

  it('includes the wait for a device hash that never comes, and ends when the caller aborts', async () => {
    const service = await startStubService(() => allowed());
    closers.push(service.close);
    const never = startDeviceHash(() => new Promise(() => {}), 60_000);
    const options = { baseUrl: service.url, projectId: 'demo', apiKey: 'key' };
    const client = createValidationClient(options, { name: 'test', deviceHash: never });
    const late = await client.validate('jane@example.com', { timeoutMs: 10 });
    expect(late).toMatchObject({ source: 'failOpen', failure: { label: 'TIMEOUT' } });
    const caller = new AbortController();
    const asked = failureOf(client.validate('jane@example.com', { signal: caller.signal }));
    caller.abort();
    expect((await asked).label).toBe('ABORTED');
    const patient = createValidationClient(options, {
      name: 'test',
      deviceHash: startDeviceHash(() => new Promise(() => {}), 10),
    });
    expect((await patient.validate('jane@example.com')).source).toBe('service');
    expect(service.requests.map(({ body }) => body.fingerprintHash)).toEqual([undefined]);
  });

  it('leaves no timer behind', async () => {
    vi.useFakeTimers();
    const client = createValidationClient({
      baseUrl: 'http://127.0.0.1:1',
      projectId: 'demo',
      apiKey: 'key',
    });
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const request = { validations: circular as never };
    await expect(client.validate('jane@example.com', request)).rejects.toThrow(TypeError);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});

describe('the three kinds of failure', () => {
  const quota = quotaExceeded({ limit: 5, used: 5, remaining: 0, resetAt: '2030-01-01T00:00:00.000Z' });
  const spent: StubAnswer = { refusal: quota };
  const quiet = () => {};

  it.each([
    ['exhaustion', spent],
    ['exhaustion', { refusal: rateLimited(1000, 7) }],
    ['misconfiguration', { refusal: apiError('KEY_INVALID') }],
    ['misconfiguration', { refusal: apiError('PROJECT_FORBIDDEN') }],
    ['misconfiguration', { status: 404, text: '<html>Not here</html>' }],
    ['outage', { refusal: apiError('INTERNAL') }],
    ['outage', 'cut'],
    ['request', { refusal: apiError('EMAIL_MALFORMED') }],
  ] as [string, StubAnswer][])('%s is recognised by `kind`: %j', async (kind, answer) => {
    const options = {
      maxRetries: 0,
      whenUnavailable: 'throw',
      whenExhausted: 'throw',
      onProblem: quiet,
    } as const;
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const { client } = await clientFor([answer], options);
    expect((await failureOf(client.validate('a@b.co'))).kind).toBe(kind);
    log.mockRestore();
  });

  it('an exhausted limit passes, blocks, or is decided offline, as configured', async () => {
    const listed: Awaited<ReturnType<OfflineCheck>> = {
      recommendation: 'block',
      message: 'no',
      signals: ['disposable_email'],
    };
    const rows = [
      ['open', 'allow', 'failOpen'],
      ['closed', 'block', 'failClosed'],
      ['offline', 'block', 'offline'],
    ] as const;
    for (const [whenExhausted, recommendation, source] of rows) {
      const options = { whenExhausted, maxRetries: 0, onProblem: quiet };
      const { client } = await clientFor([spent], options, { checkOffline: async () => listed });
      const validation = await client.validate('a@b.co');
      expect(validation).toMatchObject({ recommendation, source, failure: { kind: 'exhaustion' } });
    }
  });

  it('without the list everybody passes', async () => {
    const checkOffline = () => Promise.reject(new Error('no list'));
    const { client } = await clientFor([spent], { onProblem: quiet }, { checkOffline });
    expect(await client.validate('a@b.co')).toMatchObject({ recommendation: 'allow', source: 'failOpen' });
  });

  it('a wrong key is logged as an error once a minute, and reported each time', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const problems: string[] = [];
    const { client } = await clientFor([{ refusal: apiError('KEY_INVALID') }], {
      onProblem: ({ label }) => problems.push(label),
    });
    for (let turn = 0; turn < 3; turn += 1) await failureOf(client.validate('a@b.co'));
    expect(problems).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED', 'UNAUTHORIZED']);
    expect(log.mock.calls).toEqual([[expect.stringMatching(/misconfigured.*UNAUTHORIZED, Invalid API key/)]]);
    log.mockRestore();
  });

  it('an outage is logged as a warning without a handler, and a handler that throws does no harm', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const { client } = await clientFor(['cut'], { maxRetries: 0 });
    for (let turn = 0; turn < 3; turn += 1) await client.validate('a@b.co');
    expect(warn).toHaveBeenCalledTimes(1);
    const onProblem = () => {
      throw new Error('the site’s');
    };
    const { client: other } = await clientFor(['cut'], { maxRetries: 0, onProblem });
    expect(await other.validate('a@b.co')).toMatchObject({ source: 'failOpen' });
    expect(error).toHaveBeenCalledTimes(1);
    vi.restoreAllMocks();
  });
});
