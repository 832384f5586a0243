import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportOutcomes } from '../dist/operations/outcomes.js';
import {
  createKey,
  startService,
  type TestProject,
  type TestService,
  updateProject,
} from './support/service.ts';

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
});
afterAll(() => service.close());

function report(body: unknown, headers: Record<string, string> = {}, of = project) {
  return service.ask({
    method: 'POST',
    path: '/v1/outcomes',
    headers: { authorization: `Bearer ${of.serverKey}`, 'x-project-id': of.id, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const outcome = (email: string, what: string, more: object = {}) => ({ email, outcome: what, ...more });

describe('POST /v1/outcomes', () => {
  it('records by request ID and by address, in any spelling of the inbox', async () => {
    const first = await project.validate({ email: 'ann.lee@gmail.com' });
    await project.validate({ email: 'bob.ray@mail-house.net' });
    const { status, json, headers } = await report({
      outcomes: [
        { requestId: first.headers['x-request-id'], outcome: 'good' },
        outcome('Bob.Ray@mail-house.net', 'bad', { reason: 'chargeback', at: '2026-01-02T03:04:05Z' }),
        outcome('annlee+x@googlemail.com', 'accepted'),
        outcome('stranger@gmail.com', 'bad'),
        { requestId: 'never-seen', outcome: 'bad' },
      ],
    });
    expect(status).toBe(200);
    expect(json).toEqual({ recorded: 3, unknown: [3, 4] });
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '5000', 'x-quota-used': '2' });
    const known = await service.admin((admin) => reportOutcomes(admin, project.id));
    expect(known).toMatchObject({ people: 2, known: 2, bad: 1, baseRate: 0.5 });
  });

  it.each([
    ['{}', 'outcomes must be a list of 1 to 100 outcomes'],
    ['nonsense', 'Request body must be valid JSON'],
    ['[]', 'Request body must be valid JSON'],
    [{ outcomes: [] }, 'outcomes must be a list of 1 to 100 outcomes'],
    [
      { outcomes: Array(101).fill(outcome('a@gmail.com', 'bad')) },
      'outcomes must be a list of 1 to 100 outcomes',
    ],
    [{ outcomes: [5] }, 'outcomes[0] must be an object'],
    [
      { outcomes: [outcome('ann.lee@gmail.com', 'good'), { outcome: 'bad' }] },
      'outcomes[1].requestId or email is required',
    ],
    [
      { outcomes: [outcome('ann.lee@gmail.com', 'fine')] },
      'outcomes[0].outcome must be accepted, good or bad',
    ],
    [
      { outcomes: [outcome('ann.lee@gmail.com', 'bad', { reason: 'x'.repeat(65) })] },
      'outcomes[0].reason must be at most 64 characters',
    ],
    [
      { outcomes: [outcome('ann.lee@gmail.com', 'bad', { at: 'soon' })] },
      'outcomes[0].at must be an ISO 8601 time that is not in the future',
    ],
    [
      { outcomes: [outcome('ann.lee@gmail.com', 'bad', { at: '2099-01-01' })] },
      'outcomes[0].at must be an ISO 8601 time that is not in the future',
    ],
    [
      { outcomes: [outcome('ann.lee@gmail.com', 'bad', { at: '2026-02-30' })] },
      'outcomes[0].at must be an ISO 8601 time that is not in the future',
    ],
    [
      { outcomes: [outcome('ann.lee@gmail.com', 'bad', { at: '1969-12-31T23:59:59Z' })] },
      'outcomes[0].at must not be before 1970',
    ],
    [{ outcomes: [outcome('nonsense', 'bad')] }, 'outcomes[0].email must be an email address'],
    [{ outcomes: [{ email: 5, outcome: 'bad' }] }, 'outcomes[0].email must be a string'],
  ])('answers %j with 400 and a sentence that names index and field', async (body, error) => {
    const { status, json } = await report(body);
    expect([status, json.error]).toEqual([400, error]);
  });

  it('counts the characters of a reason, not its UTF-16 units', async () => {
    const reason = '🙂'.repeat(64);
    const body = { outcomes: [outcome('nobody@gmail.com', 'bad', { reason })] };
    expect((await report(body)).status).toBe(200);
    body.outcomes = [outcome('nobody@gmail.com', 'bad', { reason: `${reason}x` })];
    expect((await report(body)).status).toBe(400);
  });

  it('records nothing from a request with an error', async () => {
    const own = await service.makeProject();
    await own.validate({ email: 'ann.lee@gmail.com' });
    const faulty = { outcomes: [outcome('ann.lee@gmail.com', 'bad'), outcome('nonsense', 'bad')] };
    expect((await report(faulty, {}, own)).status).toBe(400);
    expect(await service.admin((admin) => reportOutcomes(admin, own.id))).toMatchObject({ known: 0 });
  });

  it('is for server keys only', async () => {
    const { status, json } = await report(
      { outcomes: [outcome('ann.lee@gmail.com', 'bad')] },
      { authorization: `Bearer ${project.clientKey}`, origin: 'https://app.example' },
    );
    expect([status, json.error]).toEqual([403, 'This endpoint needs a server key']);
    expect((await report({}, { authorization: 'Bearer x' })).status).toBe(401);
    expect((await report({}, { 'x-project-id': 'other' })).status).toBe(403);
    expect((await report({}, { origin: 'https://app.example' })).status).toBe(401);
  });

  it('has its own hourly rate and uses no quota', async () => {
    const own = await service.makeProject({ rateServer: 2, quotaLimit: 1 });
    const body = { outcomes: [outcome('ann.lee@gmail.com', 'bad')] };
    expect((await report(body, {}, own)).status).toBe(200);
    expect((await report(body, {}, own)).status).toBe(200);
    const refused = await report(body, {}, own);
    expect(refused.status).toBe(429);
    expect(refused.json).toMatchObject({ limit: 2, window: '1h' });
    expect(refused.headers['retry-after']).toBe(String(refused.json.retryAfter));
    expect((await own.validate({ email: 'jane.doe@gmail.com' })).status).toBe(200);
  });

  it('only reports who is known with a test key, and records nothing', async () => {
    const own = await service.makeProject();
    await own.validate({ email: 'ann.lee@gmail.com' });
    const { secret } = await service.admin((admin) =>
      createKey(admin, { projectId: own.id, type: 'server', mode: 'test' }),
    );
    const body = { outcomes: [outcome('ann.lee@gmail.com', 'bad'), outcome('x@gmail.com', 'bad')] };
    const { json } = await report(body, { authorization: `Bearer ${secret}` }, own);
    expect(json).toEqual({ recorded: 1, unknown: [1] });
    expect(await service.admin((admin) => reportOutcomes(admin, own.id))).toMatchObject({ known: 0 });
  });

  it('refuses other methods, and bodies over 128 KiB', async () => {
    const { status, headers } = await service.ask({ path: '/v1/outcomes' });
    expect([status, headers.allow]).toEqual([405, 'POST']);
    const large = await report(`{"outcomes":"${'x'.repeat(129 * 1024)}"}`);
    expect([large.status, large.json.error]).toEqual([413, 'Request body exceeds 128 KiB']);
  });

  it('works if the key or project changes in the meantime', async () => {
    const own = await service.makeProject();
    await own.validate({ email: 'ann.lee@gmail.com' });
    await service.admin((admin) => updateProject(admin, own.id, { name: 'Another' }));
    expect((await report({ outcomes: [outcome('ann.lee@gmail.com', 'good')] }, {}, own)).json.recorded).toBe(
      1,
    );
  });
});

describe('domain_turned_bad', () => {
  it('marks the next person at a domain whose people turned out bad, in that project only, and fails nothing', async () => {
    const policy = { policy: { signals: { domain_turned_bad: 'flag' as const } } };
    const [shop, other, flagging] = [
      await service.makeProject(),
      await service.makeProject(),
      await service.makeProject(policy),
    ];
    const bad = ['ann', 'bob', 'cid'].map((name) => `${name}.lee@mail-house.net`);
    for (const one of [shop, flagging]) {
      for (const email of bad) await one.validate({ email });
      const outcomes = bad.map((email) => outcome(email, 'bad'));
      expect((await report({ outcomes }, {}, one)).json).toMatchObject({ recorded: 3 });
    }
    const ask = async (one: TestProject) => (await one.validate({ email: 'dora.ray@mail-house.net' })).json;
    // Recording has it read again, and no answer waits for that.
    await expect.poll(async () => (await ask(shop)).signals).toEqual(['domain_turned_bad']);
    expect(await ask(shop)).toMatchObject({
      recommendation: 'allow',
      checks: { disposable: { pass: true, metadata: { turnedBad: { bad: 3, people: 3, low: 0.44 } } } },
    });
    await expect.poll(async () => (await ask(flagging)).recommendation).toBe('flag');
    expect((await ask(other)).signals).toEqual([]);
    expect((await shop.validate({ email: 'dora.ray@gmail.com' })).json.signals).toEqual([]);
  });
});
