import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNKNOWN_SERVER_KEY } from '../../sdk/test/support/stub-service.ts';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { createPosternServerClient, type Fetch, isPosternError, verifyWebhook } from '../src/index.ts';

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startService({ env: { POSTERN_WEBHOOK_ALLOW: '127.0.0.0/8' } });
  project = await service.makeProject();
});
afterAll(() => service.close());

const postern = (options = {}) =>
  createPosternServerClient({
    baseUrl: service.url,
    projectId: project.id,
    apiKey: project.serverKey,
    timeoutMs: 60_000,
    ...options,
  });

const outcomesKept = () =>
  service.admin(async ({ store: { log, outcomes } }) => {
    const { rows } = await log.page(project.id, {}, 100, null);
    return outcomes.findMany(project.id, [...new Set(rows.map(({ inboxHash }) => inboxHash))]);
  });

describe('outcomes from a backend', () => {
  it('are recorded, also more than a hundred at a time, and unknown people are listed by index', async () => {
    await project.validate({ email: 'jane.doe@gmail.com' });
    await project.validate({ email: 'john.roe@gmail.com' });
    const { reportOutcome } = postern();
    const strangers = Array.from({ length: 100 }, (_, index) => ({
      email: `stranger${index}@gmail.com`,
      outcome: 'good' as const,
    }));
    const known = { email: 'Jane.Doe+shop@gmail.com', outcome: 'bad', reason: 'chargeback' } as const;
    const { recorded, unknown } = await reportOutcome([...strangers, known, ...strangers.slice(0, 1)]);
    expect(recorded).toBe(1);
    expect(unknown).toEqual([...strangers.keys(), 101]);
    expect(await reportOutcome({ email: 'john.roe@gmail.com', outcome: 'good' })).toEqual({
      recorded: 1,
      unknown: [],
    });
    const judgements = [...(await outcomesKept()).values()].map(({ judgement }) => judgement);
    expect(judgements.sort()).toEqual(['bad', 'good']);
  });

  it('reject with a typed error', async () => {
    const labelOf = (promise: Promise<unknown>) =>
      promise.catch((error: unknown) => (isPosternError(error) ? error.label : error));
    const wrong = { email: 'jane.doe@gmail.com', outcome: 'great' as 'good' };
    expect(await labelOf(postern().reportOutcome(wrong))).toBe('INVALID_REQUEST');
    const outcome = { email: 'jane.doe@gmail.com', outcome: 'good' } as const;
    expect(await labelOf(postern({ apiKey: UNKNOWN_SERVER_KEY }).reportOutcome(outcome))).toBe(
      'UNAUTHORIZED',
    );
    expect(await labelOf(postern({ baseUrl: 'http://127.0.0.1:1' }).reportOutcome(outcome))).toBe(
      'UNREACHABLE',
    );
  });
});

describe('accepted sign-ups', () => {
  it('are reported in batches if that is switched on, and not otherwise', async () => {
    const bodies: string[] = [];
    const fetch: Fetch = (url, init) => {
      if (url.endsWith('/v1/outcomes')) bodies.push(init.body ?? '');
      return globalThis.fetch(url, init);
    };
    const silent = postern({ fetch });
    await silent.evaluateSignUp({ email: 'amanda.one@gmail.com' });
    await silent.flushOutcomes();
    expect(bodies).toEqual([]);
    const { evaluateSignUp, flushOutcomes } = postern({ fetch, reportAccepted: true });
    const before = (await outcomesKept()).size;
    await evaluateSignUp({ email: 'bernard.two@gmail.com' });
    await evaluateSignUp({ email: 'carla.three@gmail.com' });
    await evaluateSignUp({ email: 'blocked@mailinator.com' });
    await flushOutcomes();
    const sent = bodies.flatMap((body) => (JSON.parse(body) as { outcomes: { outcome: string }[] }).outcomes);
    expect(sent.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
    expect((await outcomesKept()).size).toBe(before + 2);
  });

  it('wait during an outage, and never make a sign-up fail', async () => {
    let down = true;
    const problems: string[] = [];
    const fetch: Fetch = (url, init) =>
      down && url.endsWith('/v1/outcomes') ? Promise.reject(new Error('down')) : globalThis.fetch(url, init);
    const { evaluateSignUp, flushOutcomes } = postern({
      fetch,
      reportAccepted: true,
      onProblem: ({ label }: { label: string }) => problems.push(label),
    });
    const before = (await outcomesKept()).size;
    expect(await evaluateSignUp({ email: 'daniel.four@gmail.com' })).toMatchObject({ accepted: true });
    await flushOutcomes();
    expect(problems).toEqual(['UNREACHABLE']);
    down = false;
    await flushOutcomes();
    expect((await outcomesKept()).size).toBe(before + 1);
  });
});

describe('a webhook receiver', () => {
  it('verifies what the service really sends', async () => {
    const { createWebhook, pingWebhook } = await import('../../service/test/support/webhooks.ts');
    const delivered = deferred();
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      response.end();
      delivered.resolve({ headers: request.headers, body: Buffer.concat(chunks) });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const secret = await service.admin(async (admin) => {
      const webhook = await createWebhook(admin, { projectId: project.id, url });
      await pingWebhook(admin, webhook.id);
      return webhook.secret;
    });
    const { headers, body } = await delivered.promise;
    expect(await verifyWebhook(headers, body, secret)).toMatchObject({
      ok: true,
      payload: { type: 'test.ping', data: { project: project.id } },
    });
    server.close();
  });
});

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function deferred() {
  let resolve: (delivery: Delivery) => void = () => {};
  const promise = new Promise<Delivery>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
