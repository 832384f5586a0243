import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { MESSAGES, quotaExceeded } from '@postern/contract';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  allowed,
  blocked,
  type StubAnswer,
  type StubService,
  startStubService,
} from '../../sdk/test/support/stub-service.ts';
import { expressGuard } from './adapters/express.ts';
import { fastifyGuard } from './adapters/fastify.ts';
import { honoGuard } from './adapters/hono.ts';
import { getSignUp } from './guard.ts';
import { createPosternServerClient, type PosternServerClient } from './postern-server-client.ts';
import type { PosternServerClientOptions } from './server-options.ts';
import type { RefusedSignUp } from './sign-up-result.ts';

let service: StubService;
let answer: StubAnswer;
const closers: (() => unknown)[] = [];
beforeEach(async () => {
  answer = allowed();
  service = await startStubService(() => answer);
  closers.push(() => service.close());
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const serverPostern = (options: Partial<PosternServerClientOptions> = {}) =>
  createPosternServerClient({
    baseUrl: service.url,
    projectId: 'demo',
    apiKey: 'server-key',
    maxRetries: 0,
    timeoutMs: 60_000,
    ...options,
  });

const servers: Record<
  string,
  (postern: PosternServerClient, onRefused: (r: RefusedSignUp) => void) => Promise<string>
> = {
  express: async (postern, onRefused) => {
    const app = express();
    app.use(express.json(), express.urlencoded());
    app.post('/sign-up', expressGuard(postern, { onRefused }), (request, response) => {
      response.json(getSignUp(request));
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  fastify: async (postern, onRefused) => {
    const app = fastify();
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    app.post('/sign-up', { preHandler: fastifyGuard(postern, { onRefused }) }, (request) =>
      getSignUp(request),
    );
    closers.push(() => app.close());
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  hono: async (postern, onRefused) => {
    const app = new Hono();
    app.post('/sign-up', honoGuard(postern, { onRefused }), (context) => context.json(getSignUp(context)));
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
    await once(server, 'listening');
    closers.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
};

describe.each(Object.keys(servers))('the %s guard', (name) => {
  const refusals: RefusedSignUp[] = [];
  let userAgent = 'Mozilla/5.0 test';
  beforeEach(() => {
    userAgent = 'Mozilla/5.0 test';
  });

  async function signUp(fields: unknown, options: Partial<PosternServerClientOptions> = {}, form = false) {
    refusals.length = 0;
    const url = await servers[name]?.(serverPostern(options), (refusal) => refusals.push(refusal));
    const response = await fetch(`${url}/sign-up`, {
      method: 'POST',
      headers: { 'User-Agent': userAgent, ...(!form && { 'Content-Type': 'application/json' }) },
      body: form ? new URLSearchParams(fields as Record<string, string>) : JSON.stringify(fields),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  const token = (claims = {}) => service.signVerdict({ email: 'jane@example.com', ...claims });
  const email = 'jane@example.com';

  it.each([false, true])('accepts a valid verdict without asking the service (form: %s)', async (form) => {
    const verdict = token({ recommendation: 'flag', signals: ['role_email'] });
    const { status, body } = await signUp({ email, 'postern-verdict': verdict }, {}, form);
    expect(status).toBe(200);
    expect(body).toMatchObject({ accepted: true, recommendation: 'flag', source: 'verdict' });
    expect(service.requests).toHaveLength(0);
  });

  it('answers a blocked sign-up with the message of the check that failed', async () => {
    const verdict = token({ recommendation: 'block', signals: ['vpn_detected', 'disposable_email'] });
    const { status, body } = await signUp({ email, 'postern-verdict': verdict });
    expect({ status, body }).toEqual({ status: 422, body: { error: MESSAGES.disposable } });
    expect(refusals).toMatchObject([{ reason: 'blocked' }]);
  });

  it('refuses a forged or mismatched verdict', async () => {
    const other = service.signVerdict({ email: 'good@example.com' });
    const { status } = await signUp({ email: 'x@mailinator.com', 'postern-verdict': other });
    expect(status).toBe(422);
    expect(refusals).toMatchObject([{ reason: 'untrusted', verdictRefusal: 'wrong_address' }]);
    expect(service.requests).toHaveLength(0);
  });

  it('asks the service if the form sent no verdict, with the client’s IP address and browser', async () => {
    answer = blocked();
    const { status, body } = await signUp({ email: 'x@mailinator.com' });
    expect({ status, body }).toEqual({
      status: 422,
      body: { error: 'Please use a permanent email address.' },
    });
    expect(service.requests[0]?.body).toMatchObject({ ip: '127.0.0.1', userAgent: 'Mozilla/5.0 test' });
    expect(service.requests[0]?.headers.authorization).toBe('Bearer server-key');
  });

  it('asks the service if the verdict has expired', async () => {
    const { status, body } = await signUp({ email, 'postern-verdict': token({ iat: 1, exp: 2 }) });
    expect(status).toBe(200);
    expect(body).toMatchObject({ source: 'service' });
  });

  it.each([
    ['a key that we do not know yet', {}, { kid: 'brand-new' }],
    ['a clock ahead of ours', { iat: 4e9, exp: 4e9 + 600 }, {}],
  ])('asks the service about a verdict with %s', async (_, claims, header) => {
    const verdict = service.signVerdict({ email, ...claims }, header);
    const { status, body } = await signUp({ email, 'postern-verdict': verdict });
    expect({ status, body }).toMatchObject({ status: 200, body: { source: 'service' } });
  });

  it('asks the service if the replay store is down, and does not show the error', async () => {
    const replayStore = { claim: () => Promise.reject(new Error('connect ECONNREFUSED redis.internal')) };
    const { status, body } = await signUp({ email, 'postern-verdict': token() }, { replayStore });
    expect({ status, body }).toMatchObject({ status: 200, body: { source: 'service' } });
    expect(JSON.stringify(body)).not.toContain('redis');
  });

  it.each([
    ['Jane@Example.COM', 'jane@example.com'],
    ['jane@ｅxample.com', 'jane@example.com'],
    ['jane@example。com', 'jane@example.com'],
    ['jane@𝐞𝐱𝐚𝐦𝐩𝐥𝐞.com', 'jane@example.com'],
    ['jane@bücher.example', 'jane@xn--bcher-kva.example'],
  ])('passes %s on as %s, and what was typed beside it', async (typed, normalized) => {
    expect((await signUp({ email: typed })).body).toMatchObject({ email: normalized, typed });
    const verdict = token({ email: normalized });
    const { body } = await signUp({ email: typed, 'postern-verdict': verdict });
    expect(body).toMatchObject({ source: 'verdict', email: normalized, typed });
    answer = 'cut';
    expect((await signUp({ email: typed })).body).toMatchObject({ source: 'failOpen', email: normalized });
  });

  it.each(['jane@exam\u00adple.com', 'jane@exam\u200bple.com', 'jane@exam\ufe0fple.com'])(
    'refuses %j, whose domain has characters that nobody sees, as the service does',
    async (hidden) => {
      expect((await signUp({ email: hidden, 'postern-verdict': token() })).status).toBe(422);
      expect(refusals).toMatchObject([{ reason: 'malformed' }]);
    },
  );

  it('passes the address on without white space', async () => {
    expect((await signUp({ email: ` ${email}\r\n` })).body).toMatchObject({ email });
    const verdict = token();
    expect((await signUp({ email: `${email}\n`, 'postern-verdict': verdict })).body).toMatchObject({ email });
  });

  it('sends no more of a User-Agent than the service accepts', async () => {
    userAgent = '"'.repeat(12_000);
    await signUp({ email });
    expect(service.requests[0]?.body.userAgent).toBe('"'.repeat(1_024));
  });

  it('refuses what is not an address, even while the service is down', async () => {
    answer = 'cut';
    for (const odd of [
      '',
      'jane',
      `${'x'.repeat(20_000)}@gmail.com`,
      'a@b.co>\nBcc: c@d.co',
      7,
      null,
      [email],
    ]) {
      const { status, body } = await signUp({ email: odd });
      expect([odd, status, body]).toEqual([odd, 422, { error: MESSAGES.syntax }]);
    }
    expect(service.requests).toHaveLength(0);
  });

  it.each([[[]], [{}]])('refuses the body %j', async (body) => {
    expect((await signUp(body)).status).toBe(422);
    expect(service.requests).toHaveLength(0);
  });

  it('accepts people while the quota is used up, and says why', async () => {
    answer = { refusal: quotaExceeded({ limit: 1, used: 1, remaining: 0, resetAt: '2030-01-01T00:00:00Z' }) };
    const { status, body } = await signUp({ email });
    expect(status).toBe(200);
    expect(body).toMatchObject({ source: 'failOpen', failure: { label: 'QUOTA_EXCEEDED', limit: 1 } });
  });

  it('refuses people while the service is down, if so configured', async () => {
    answer = 'cut';
    const { status } = await signUp({ email }, { whenUnavailable: 'closed' });
    expect(status).toBe(503);
  });

  it('refuses a form without an address', async () => {
    const { status, body } = await signUp({ name: 'Jane' });
    expect({ status, body }).toEqual({ status: 422, body: { error: MESSAGES.syntax } });
  });
});

describe('a Next-style route handler', () => {
  it('checks a web request', async () => {
    const request = new Request('http://site.example/sign-up', {
      method: 'POST',
      headers: { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'Mozilla/5.0 test' },
      body: new URLSearchParams({ email: 'jane@example.com' }),
    });
    const form = await request.formData();
    const result = await serverPostern().evaluateSignUp(
      { email: form.get('email'), request },
      { trustedProxies: 1 },
    );
    expect(result).toMatchObject({ accepted: true, source: 'service' });
    expect(service.requests[0]?.body).toMatchObject({ ip: '203.0.113.9', userAgent: 'Mozilla/5.0 test' });
  });

  it('can require a verdict', async () => {
    const result = await serverPostern().evaluateSignUp({ email: 'a@b.co' }, { withoutVerdict: 'refuse' });
    expect(result).toMatchObject({ accepted: false, reason: 'untrusted', status: 422 });
  });
});

it('getSignUp throws if no guard ran', () => {
  expect(() => getSignUp({})).toThrow('No Postern guard ran');
});
