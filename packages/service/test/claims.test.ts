import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimOperations } from '../dist/operations/claims.js';
import { exportPerson, forgetPerson } from '../dist/operations/personal-data.js';
import { operationsOf } from '../dist/operations/run-operation.js';
import { createKey, startService, type TestProject, type TestService } from './support/service.ts';
import { createWebhook } from './support/webhooks.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
});
afterAll(() => service.close());

/** Such phones cannot be told apart. */
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

type Body = Readonly<Record<string, unknown>>;

function ask(
  of: TestProject,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  return service.ask({
    method,
    path,
    headers: { authorization: `Bearer ${of.serverKey}`, 'x-project-id': of.id, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

const claim = async (body: Body, of = project, headers = {}) =>
  (await ask(of, 'POST', '/v1/claims', { claim: 'trial', ...body }, headers)).json;

describe('POST /v1/claims', () => {
  it('grants once and refuses every spelling of the inbox', async () => {
    const own = await service.makeProject();
    const first = await claim({ email: 'jane.doe@gmail.com' }, own);
    expect(first).toEqual({ granted: true, id: expect.any(String), because: [], since: expect.any(String) });
    for (const email of ['Jane.Doe@Gmail.com', 'janedoe+2@gmail.com', 'j.a.n.e.doe@googlemail.com'])
      expect(await claim({ email }, own)).toMatchObject({
        granted: false,
        because: ['inbox'],
        since: first.since,
      });
    expect(await claim({ email: 'john.doe@gmail.com' }, own)).toMatchObject({ granted: true });
  });

  it('refuses by trace and by device, and says all reasons', async () => {
    const own = await service.makeProject();
    const traces = [{ kind: 'card', value: 'fp_123' }];
    await claim({ email: 'ann.lee@gmail.com', traces, fingerprintHash: 'device-1' }, own);
    const byTrace = await claim({ email: 'bob.ray@gmail.com', traces }, own);
    expect(byTrace).toMatchObject({ granted: false, because: ['trace:card'] });
    const byDevice = await claim({ email: 'bob.ray@gmail.com', fingerprintHash: 'device-1' }, own);
    expect(byDevice).toMatchObject({ granted: false, because: ['device'] });
    const all = await claim({ email: 'annlee@gmail.com', traces, fingerprintHash: 'device-1' }, own);
    expect(all.because).toEqual(['device', 'inbox', 'trace:card']);
    const other = [{ kind: 'phone', value: 'fp_123' }];
    expect(await claim({ email: 'bob.ray@gmail.com', traces: other }, own)).toMatchObject({ granted: true });
  });

  it('a common device is no reason', async () => {
    const own = await service.makeProject();
    for (let index = 0; index < 12; index += 1)
      await own.validate({
        email: `person${index}.smith@gmail.com`,
        fingerprintHash: 'common',
        userAgent: IPHONE,
        ip: `203.0.${index}.9`,
      });
    for (const email of ['ann.lee@gmail.com', 'bob.ray@gmail.com'])
      expect(await claim({ email, fingerprintHash: 'common' }, own)).toMatchObject({ granted: true });
  });

  it('gives the same claimant and the same Idempotency-Key their own answer again', async () => {
    const own = await service.makeProject();
    const first = await claim({ email: 'ann.lee@gmail.com', claimant: 'user-1' }, own);
    expect(await claim({ email: 'ann.other@gmail.com', claimant: 'user-1' }, own)).toEqual(first);
    const once = { 'idempotency-key': 'k1' };
    const refused = await claim({ email: 'annlee@gmail.com', claimant: 'user-2' }, own, once);
    expect(refused).toMatchObject({ granted: false });
    expect(await claim({ email: 'annlee@gmail.com', claimant: 'user-2' }, own, once)).toEqual(refused);
    const granted = await claim({ email: 'bob.ray@gmail.com' }, own, { 'idempotency-key': 'k2' });
    expect(await claim({ email: 'bob.ray@gmail.com' }, own, { 'idempotency-key': 'k2' })).toEqual(granted);
  });

  it('a dry run takes nothing', async () => {
    const own = await service.makeProject();
    const body = { email: 'ann.lee@gmail.com', dryRun: true };
    expect(await claim(body, own)).toMatchObject({ granted: true, id: '' });
    expect(await claim({ email: 'ann.lee@gmail.com' }, own)).toMatchObject({ granted: true });
    expect(await claim(body, own)).toMatchObject({ granted: false, because: ['inbox'] });
  });

  it('of 200 at once, exactly one is granted', async () => {
    const own = await service.makeProject();
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        // A busy machine may answer 503; asking again with the same key is safe.
        for (;;) {
          const body = { claim: 'trial', email: `jane.doe+${index}@gmail.com` };
          const headers = { 'idempotency-key': `try-${index}` };
          const { status, json } = await ask(own, 'POST', '/v1/claims', body, headers);
          if (status !== 503) return json;
        }
      }),
    );
    expect(answers.filter(({ granted }) => granted)).toHaveLength(1);
    expect(answers.filter(({ granted }) => granted === false)).toHaveLength(199);
  });

  it('other claims and other projects know nothing of it', async () => {
    const other = await service.makeProject();
    const body = { email: 'zoe.fox@gmail.com', traces: [{ kind: 'card', value: 'x' }] };
    expect(await claim(body)).toMatchObject({ granted: true });
    expect(await claim({ ...body, claim: 'discount' })).toMatchObject({ granted: true });
    const theirs = await claim(body, other);
    expect(theirs).toMatchObject({ granted: true });
    expect((await ask(project, 'DELETE', `/v1/claims/${theirs.id}`)).status).toBe(404);
  });

  it('a test key takes nothing', async () => {
    const own = await service.makeProject();
    const { secret } = await service.admin((admin) =>
      createKey(admin, { projectId: own.id, type: 'server', mode: 'test' }),
    );
    const tester = { ...own, serverKey: secret };
    for (let count = 0; count < 2; count += 1)
      expect(await claim({ email: 'ann.lee@gmail.com' }, tester)).toMatchObject({ granted: true, id: '' });
  });

  it.each([
    ['{}', 'claim must be 1 to 32 of the characters a to z, 0 to 9 and _'],
    ['nonsense', 'Request body must be valid JSON'],
    [
      { claim: 'Trial', email: 'a@gmail.com' },
      'claim must be 1 to 32 of the characters a to z, 0 to 9 and _',
    ],
    [{ claim: 'trial' }, 'Email address is required'],
    [{ claim: 'trial', email: 'nobody' }, 'Invalid email format'],
    [{ claim: 'trial', email: 'a@gmail.com', ip: 'here' }, 'ip must be an IP address'],
    [{ claim: 'trial', email: 'a@gmail.com', dryRun: 1 }, 'dryRun must be true or false'],
    [{ claim: 'trial', email: 'a@gmail.com', traces: {} }, 'traces must be a list of at most 10 traces'],
    [
      { claim: 'trial', email: 'a@gmail.com', traces: [{ kind: 'card' }] },
      'traces[0].value must be a string of 1 to 1024 characters',
    ],
    [
      { claim: 'trial', email: 'a@gmail.com', traces: [{ kind: '!', value: 'x' }] },
      'traces[0].kind must be 1 to 32 of the characters a to z, 0 to 9 and _',
    ],
    [{ claim: 'trial', email: 'a@gmail.com', claimant: 5 }, 'claimant must be a string'],
  ])('answers %j with 400: %s', async (body, error) => {
    const { status, json } = await ask(project, 'POST', '/v1/claims', body);
    expect([status, json.error]).toEqual([400, error]);
  });

  it('is for server keys only, and shares the rate of outcomes', async () => {
    const client = { ...project, serverKey: project.clientKey };
    const answer = await ask(client, 'POST', '/v1/claims', {}, { origin: 'https://app.example' });
    expect([answer.status, answer.json.error]).toEqual([403, 'This endpoint needs a server key']);
    const own = await service.makeProject({ rateServer: 1 });
    await claim({ email: 'ann.lee@gmail.com' }, own);
    expect((await ask(own, 'POST', '/v1/outcomes', {})).status).toBe(429);
    expect((await own.validate({ email: 'ann.lee@gmail.com' })).headers['x-quota-used']).toBe('1');
  });
});

it('finds, releases and forgets claims', async () => {
  const own = await service.makeProject();
  const mine = {
    email: 'ann.lee@gmail.com',
    claimant: 'user 1',
    traces: [{ kind: 'card', value: 'secret-card' }],
  };
  const first = await claim(mine, own);
  const find = async () => (await ask(own, 'GET', '/v1/claims?claimant=user%201')).json;
  expect(await find()).toEqual({ claims: [{ id: first.id, claim: 'trial', since: first.since }] });
  expect((await ask(own, 'GET', '/v1/claims')).json).toEqual({ error: 'claimant is required' });
  const gone = await ask(own, 'DELETE', `/v1/claims/${first.id}`);
  expect([gone.status, gone.json]).toEqual([200, { id: first.id, released: true }]);
  expect(await find()).toEqual({ claims: [] });
  const second = await claim(mine, own);
  expect(second).toMatchObject({ granted: true });
  expect(second.id).not.toBe(first.id);

  const exported = await service.admin((admin) => exportPerson(admin, own.id, { email: 'annlee@gmail.com' }));
  const text = JSON.stringify(exported);
  expect(text).toContain(second.id);
  expect(text).not.toMatch(/secret-card|user 1/);
  const counted = await service.admin((admin) => forgetPerson(admin, own.id, { email: mine.email }));
  expect(counted.claims).toBe(2);
  await service.admin((admin) => forgetPerson(admin, own.id, { email: mine.email, erase: true }));
  expect(await claim(mine, own)).toMatchObject({ granted: true });
});

it('forgetting a person can leave bare hashes, which a later forgetting deletes', async () => {
  const own = await service.makeProject();
  const mine = { email: 'ann.lee@gmail.com', claimant: 'user 1', fingerprintHash: 'device-1' };
  await claim(mine, own);
  const person = { email: mine.email };
  const forget = (keepClaims: boolean) =>
    service.admin((admin) => forgetPerson(admin, own.id, { ...person, erase: true, keepClaims }));
  await forget(true);
  expect((await ask(own, 'GET', '/v1/claims?claimant=user%201')).json).toEqual({ claims: [] });
  const { others } = await service.admin((admin) => exportPerson(admin, own.id, person));
  expect(others.claim).toEqual([]);
  const kinds = others.claim_handle?.map(({ handle }) => String(handle).replace(/:.*/, ''));
  expect(new Set(kinds)).toEqual(new Set(['device', 'inbox']));
  expect(await claim(mine, own)).toMatchObject({ granted: false, because: ['device', 'inbox'] });
  await forget(false);
  expect(await claim(mine, own)).toMatchObject({ granted: true });
});

it('forgetting a device frees it, and leaves the inbox its claim', async () => {
  const own = await service.makeProject();
  await claim({ email: 'ann.lee@gmail.com', fingerprintHash: 'device-1' }, own);
  const device = { fingerprintHash: 'device-1' };
  await service.admin((admin) => forgetPerson(admin, own.id, { ...device, erase: true }));
  expect(await claim({ email: 'bob.ray@gmail.com', ...device }, own)).toMatchObject({ granted: true });
  expect(await claim({ email: 'annlee@gmail.com' }, own)).toMatchObject({ because: ['inbox'] });
});

it('tells webhooks of a refusal, and the summary how refused people turned out', async () => {
  const own = await service.makeProject();
  await service.admin((admin) =>
    createWebhook(admin, { projectId: own.id, url: 'https://shop.example/hook', events: ['claim.refused'] }),
  );
  await own.validate({ email: 'ann.lee@gmail.com' });
  await claim({ email: 'ann.lee@gmail.com' }, own);
  const refused = await claim({ email: 'annlee@gmail.com' }, own);
  const events = await service.admin(({ store }) => store.events.page(own.id, 10, null));
  expect(events).toMatchObject([
    { type: 'claim.refused', data: { claimId: refused.id, claim: 'trial', because: ['inbox'] } },
  ]);
  await ask(own, 'POST', '/v1/outcomes', { outcomes: [{ email: 'ann.lee@gmail.com', outcome: 'good' }] });
  const { summary, days } = await service.admin((admin) =>
    operationsOf(claimOperations, admin)('GET /projects/:id/claims', { id: own.id }),
  );
  expect(summary).toEqual([{ claim: 'trial', granted: 1, refused: 1, refusedGood: 1, refusedBad: 0 }]);
  expect(days).toHaveLength(30);
  expect(days.filter(({ granted }) => granted > 0)).toMatchObject([{ granted: 1, refused: 1 }]);
});

it('who was a good customer before is not counted as one who came back', async () => {
  const own = await service.makeProject();
  await own.validate({ email: 'ann.lee@gmail.com' });
  const at = new Date(Date.now() - 60_000).toISOString();
  await ask(own, 'POST', '/v1/outcomes', {
    outcomes: [{ email: 'ann.lee@gmail.com', outcome: 'good', at }],
  });
  for (let count = 0; count < 2; count += 1) await claim({ email: 'ann.lee@gmail.com' }, own);
  const { summary } = await service.admin((admin) =>
    operationsOf(claimOperations, admin)('GET /projects/:id/claims', { id: own.id }),
  );
  expect(summary).toMatchObject([{ refused: 1, refusedGood: 0 }]);
});
