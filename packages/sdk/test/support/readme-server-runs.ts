import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { quotaExceeded, rateLimited } from '@postern/contract';
import type { Express } from 'express';
import type { FastifyInstance } from 'fastify';
import type { Hono } from 'hono';
import { expect, vi } from 'vitest';
import type { VerdictVerifier } from '../../../sdk-node/src/index.ts';
import { PERMANENT, type ReadmeSetup, type SnippetRuns, THROWAWAY } from './readme-setup.ts';

/** The snippets for backends, and errors. */
export const serverRuns = (setup: ReadmeSetup): SnippetRuns => ({
  'sdk/errors.ts': async () => {
    type Module = { explain(email: string): Promise<string> };
    const { explain } = await setup.folder.inNode<Module>('sdk/errors.ts', setup.service.url);
    expect(await explain('jane@gmail.com')).toBe('allow');
    const facts = { limit: 5, used: 5, remaining: 0, resetAt: '2030-01-01T00:00:00.000Z' };
    setup.answer = () => ({ refusal: quotaExceeded(facts) });
    expect(await explain('jane@gmail.com')).toBe('5 of 5 used, free again 2030-01-01T00:00:00.000Z');
    setup.answer = () => ({ refusal: rateLimited(1000, 60) });
    expect(await explain('jane@gmail.com')).toBe('come back in 60 seconds');
  },

  'sdk-node/express.ts': async () => {
    const { app } = await setup.folder.inNode<{ app: Express }>('sdk-node/express.ts', setup.service.url);
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sign-up`;
    await guards(setup, (init) => fetch(url, init));
    await new Promise((resolve) => server.close(resolve));
  },

  'sdk-node/fastify.ts': async () => {
    const { app } = await setup.folder.inNode<{ app: FastifyInstance }>(
      'sdk-node/fastify.ts',
      setup.service.url,
    );
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    await guards(setup, (init) => fetch(`${url}/sign-up`, init));
    await app.close();
  },

  'sdk-node/hono.ts': async () => {
    const { app } = await setup.folder.inNode<{ app: Hono }>('sdk-node/hono.ts', setup.service.url);
    await guards(setup, (init) => app.request('/sign-up', init));
  },

  'sdk-node/route.ts': async () => {
    type Module = { POST(request: Request): Promise<Response> };
    const { POST } = await setup.folder.inNode<Module>('sdk-node/route.ts', setup.service.url);
    await guards(setup, ({ body, ...init }) => {
      const form = new URLSearchParams(JSON.parse(body) as Record<string, string>);
      return POST(new Request('http://site.example/sign-up', { method: init.method, body: form }));
    });
  },

  'sdk-node/ping.ts': async () => {
    type Module = { checkSetup: () => Promise<void> };
    const { checkSetup } = await setup.folder.inNode<Module>('sdk-node/ping.ts', setup.service.url);
    await checkSetup();
  },

  'sdk-node/verify.ts': async () => {
    type Module = { isWelcome(email: string, verdict: string): Promise<boolean> };
    const { isWelcome } = await setup.folder.inNode<Module>('sdk-node/verify.ts', setup.service.url);
    expect(await isWelcome('jane@gmail.com', setup.verdict('jane@gmail.com'))).toBe(true);
    expect(await isWelcome('jane@gmail.com', setup.verdict('john@gmail.com'))).toBe(false);
    const no = setup.verdict('jane@gmail.com', { recommendation: 'block' });
    expect(await isWelcome('jane@gmail.com', no)).toBe(false);
  },

  'sdk-node/shared-replays.ts': async () => {
    type Module = { verifierWith(redis: unknown): VerdictVerifier };
    const { verifierWith } = await setup.folder.inNode<Module>(
      'sdk-node/shared-replays.ts',
      setup.service.url,
    );
    const keys = new Set<string>();
    const redis = {
      set: async (key: string) => (keys.has(key) ? null : keys.add(key) && 'OK'),
    };
    const token = setup.verdict('jane@gmail.com');
    const results = [];
    for (const verifier of [verifierWith(redis), verifierWith(redis)]) {
      results.push(await verifier.verifyVerdict(token, { email: 'jane@gmail.com' }));
    }
    expect(results).toMatchObject([{ ok: true }, { ok: false, reason: 'replayed' }]);
  },

  'sdk-node/sign-up.test.ts': async () => {
    type Module = { testSignUp(): Promise<object[]> };
    const { testSignUp } = await setup.folder.inNode<Module>('sdk-node/sign-up.test.ts', setup.service.url);
    expect(await testSignUp()).toMatchObject([
      { accepted: false, reason: 'blocked' },
      { recommendation: 'flag', source: 'verdict' },
      { source: 'failOpen' },
    ]);
  },

  'sdk-node/ask.ts': async () => {
    const { server } = await setup.folder.inNode<{ server: Server }>('sdk-node/ask.ts', setup.service.url);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const response = await fetch(`${url}/?email=jane@gmail.com`, {
      headers: { 'User-Agent': 'Mozilla/5.0' },
    });
    expect(await response.text()).toBe('allow');
    expect(setup.service.requests[0]?.body).toMatchObject({ ip: '127.0.0.1', userAgent: 'Mozilla/5.0' });
    await new Promise((resolve) => server.close(resolve));
  },

  'sdk-node/outcomes.ts': async () => {
    type Module = { onChargeback(email: string): Promise<void>; onShutdown(): Promise<void> };
    setup.answer = () => ({ status: 200, text: '{"recorded":1,"unknown":[]}' });
    const { onChargeback, onShutdown } = await setup.folder.inNode<Module>(
      'sdk-node/outcomes.ts',
      setup.service.url,
    );
    await onChargeback('mallory@gmail.com');
    await onShutdown();
    const outcomes = [{ email: 'mallory@gmail.com', outcome: 'bad', reason: 'chargeback' }];
    expect(setup.service.requests).toMatchObject([{ path: '/v1/outcomes', body: { outcomes } }]);
  },

  'sdk-node/webhook.ts': async () => {
    type Module = { POST(request: Request): Promise<Response> };
    const { POST } = await setup.folder.inNode<Module>('sdk-node/webhook.ts', setup.service.url);
    const key = Buffer.from('a secret for this test');
    vi.stubEnv('POSTERN_WEBHOOK_SECRET', `whsec_${key.toString('base64')}`);
    const body = JSON.stringify({ type: 'test.ping', timestamp: new Date().toISOString(), data: {} });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');
    const send = (sent: string) =>
      POST(
        new Request('http://shop.example/hook', {
          method: 'POST',
          body: sent,
          headers: {
            'webhook-id': 'msg_1',
            'webhook-timestamp': timestamp,
            'webhook-signature': `v1,${signature}`,
          },
        }),
      );
    expect((await send(body)).status).toBe(204);
    expect((await send(`${body} `)).status).toBe(400);
    vi.unstubAllEnvs();
  },
});

type Post = (init: {
  method: 'POST';
  headers: Record<string, string>;
  body: string;
}) => Promise<Response> | Response;

async function guards(setup: ReadmeSetup, post: Post): Promise<void> {
  const send = (fields: Record<string, string>) =>
    post({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fields) });
  const email = 'jane@gmail.com';
  const welcome = await send({ email, 'postern-verdict': setup.verdict(email) });
  expect([welcome.status, await welcome.json()]).toMatchObject([200, { welcome: email }]);
  const refused = await send({ email: THROWAWAY });
  expect([refused.status, await refused.json()]).toEqual([422, { error: PERMANENT }]);
  const lied = await send({ email: THROWAWAY, 'postern-verdict': setup.verdict(email) });
  expect(lied.status).toBe(422);
}
