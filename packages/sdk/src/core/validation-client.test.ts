import { API_ERRORS, apiError, originNotAllowed, quotaExceeded, rateLimited } from '@postern/contract';
import { describe, expect, it, vi } from 'vitest';
import { clientFor, closers, failureOf } from '../../test/support/client-for.ts';
import { allowed, blocked, type StubAnswer, startStubService } from '../../test/support/stub-service.ts';
import { startDeviceHash } from './device-hash.ts';
import { createValidationClient } from './validation-client.ts';

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
    expect((await client.validate(' Janedoe@gmial.com ')).suggestion).toBe('Janedoe@gmail.com');
  });

  it('comes with a fetch that must not be called as a method, like the one of browsers', async () => {
    const { client } = await clientFor([allowed()], {
      fetch(this: unknown, url, init) {
        if (this !== undefined) throw new TypeError('Illegal invocation');
        return fetch(url, init);
      },
    });
    expect((await client.validate('a@b.co')).source).toBe('service');
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
    const { client, waitsMs } = await clientFor([{ refusal: rateLimited(5, 2), retryAfter: 2 }, allowed()], {
      timeoutMs: 60_000,
    });
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

describe('time', () => {
  it('can be unlimited', async () => {
    const { client } = await clientFor([allowed()], { timeoutMs: Number.POSITIVE_INFINITY });
    expect((await client.validate('jane@example.com')).source).toBe('service');
  });

  it('follows the date in Retry-After from a proxy', async () => {
    const inTwentySeconds = new Date(Date.now() + 20_000).toUTCString();
    const busy = { status: 503, text: 'busy', headers: { 'Retry-After': inTwentySeconds } };
    const { client, waitsMs } = await clientFor([busy, allowed()], { timeoutMs: 60_000 });
    await client.validate('jane@example.com');
    expect(waitsMs).toHaveLength(1);
    // HTTP dates have no fractions of a second, and a busy machine needs some to ask.
    expect(waitsMs[0]).toBeGreaterThanOrEqual(5_000);
    expect(waitsMs[0]).toBeLessThanOrEqual(20_250);
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

  it('computes a device hash that failed again for the next validation', async () => {
    const service = await startStubService(() => allowed());
    closers.push(service.close);
    let attempts = 0;
    const deviceHash = startDeviceHash(async () => {
      attempts += 1;
      if (attempts < 3) throw new Error('The file could not be loaded');
      return 'b2_device';
    }, 60_000);
    await new Promise((resolve) => setImmediate(resolve));
    const options = { baseUrl: service.url, projectId: 'demo', apiKey: 'key' };
    const client = createValidationClient(options, { name: 'test', deviceHash });
    for (const name of ['jane', 'john', 'june']) await client.validate(`${name}@example.com`);
    expect(service.requests.map(({ body }) => body.fingerprintHash)).toEqual([
      undefined,
      'b2_device',
      'b2_device',
    ]);
    expect(attempts).toBe(3);
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
