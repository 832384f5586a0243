import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { revokeKey, startService, type TestService, updateProject } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

const body = { email: 'jane.doe@gmail.com', fingerprintHash: 'fingerprint-of-jane' };
const WAIT = { timeout: 120_000, interval: 100 };
const withKey = (key: string) => ({ prefer: 'verdict', 'idempotency-key': key });

describe.each(USUAL_BACK_ENDS)('Idempotency-Key, with two processes on %s', (backEnd) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startServiceOn(backEnd, {
      env: { POSTERN_WORKERS: '2', POSTERN_DNS_BUDGET_MS: '1000' },
      zone: (name) =>
        name === 'slow.mail-house.net' ? 'silent' : { MX: [[10, 'mx.mail-house.net']], A: ['93.184.216.34'] },
    });
  });
  afterAll(() => service?.close());

  const logRows = (projectId: string) =>
    service.admin(async ({ store }) => (await store.log.page(projectId, {}, 100, null)).rows);

  it('returns the first answer to a repeat, which is counted and logged once', async () => {
    const project = await service.makeProject();
    const first = await project.validate(body, withKey('one'));
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([200, undefined]);
    const again = await project.validate(body, withKey('one'));
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
    expect(again.text).toBe(first.text);
    for (const name of ['x-postern-verdict', 'x-quota-used', 'x-ratelimit-remaining', 'content-type'])
      expect(again.headers[name]).toBe(first.headers[name]);
    const { headers } = await project.validate(body);
    expect([headers['x-quota-used'], headers['x-ratelimit-remaining']]).toEqual(['2', '4998']);
    expect(await logRows(project.id)).toHaveLength(2);
  });

  it('gives no stored answer to a revoked key or for an archived project', async () => {
    const revoked = await service.makeProject();
    expect((await revoked.validate(body, withKey('kept'))).status).toBe(200);
    await service.admin((admin) => revokeKey(admin, revoked.serverKeyId));
    for (let repeat = 0; repeat < 5; repeat += 1)
      expect((await revoked.validate(body, withKey('kept'))).status).toBe(401);

    const archived = await service.makeProject();
    expect((await archived.validate(body, withKey('kept'))).status).toBe(200);
    await service.admin((admin) => updateProject(admin, archived.id, { archived: true }));
    for (let repeat = 0; repeat < 5; repeat += 1)
      expect((await archived.validate(body, withKey('kept'))).status).toBe(403);
  });

  it('refuses a visitor over the limit before it looks for an answer, which a later repeat gets', async () => {
    const project = await service.makeProject({ visitorRate: 1 });
    const ask = (key: string) =>
      project.validateFromPage(body, { ...withKey(key), 'x-forwarded-for': '93.184.216.34' });
    expect((await ask('first')).status).toBe(200);
    // Each process learns it from a refusal of its own.
    await vi.waitFor(async () => {
      expect((await ask('second')).status).toBe(429);
      expect((await ask('first')).status).toBe(429);
    }, WAIT);
    await service.admin((admin) => updateProject(admin, project.id, { visitorRate: 10 }));
    const later = await ask('first');
    expect([later.status, later.headers['idempotency-replayed']]).toEqual([200, 'true']);
  });

  it('counts exactly one of many concurrent repeats; the others get its answer or a 409', async () => {
    const project = await service.makeProject();
    const ask = () => project.validateFromPage(body, withKey('race'));
    const answers = await Promise.all(Array.from({ length: 40 }, ask));
    // A busy machine may answer 503 to any of them, also to the first.
    const last = await vi.waitFor(async () => {
      const answer = await ask();
      answers.push(answer);
      expect(answer.status).toBe(200);
      return answer;
    }, WAIT);
    const answered = answers.filter(({ status }) => status === 200);
    expect(new Set(answered.map(({ text }) => text))).toEqual(new Set([last.text]));
    expect(answered.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    for (const { status, headers, json } of answers) {
      if (status === 200 || status === 503) continue;
      expect(status).toBe(409);
      expect(json.error).toContain('still under way');
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(headers['x-ratelimit-limit']).toBe('1000');
    }
    // What was counted for a 503 is undone soon after.
    await vi.waitFor(async () => expect(await logRows(project.id)).toHaveLength(1), WAIT);
    const { headers } = await project.validateFromPage(body);
    expect([headers['x-quota-used'], headers['x-ratelimit-remaining']]).toEqual(['2', '998']);
    expect(await logRows(project.id)).toHaveLength(2);
  });

  it('answers 409 with Retry-After while the first is in progress, and does not count it', async () => {
    const project = await service.makeProject();
    const slow = { email: 'jane.doe@slow.mail-house.net' };
    const ask = () => project.validate(slow, withKey('slow'));
    // Any of them may be first. The others come while it waits for DNS: those of its process are refused at once, those of
    // the other one run their checks too, and get its answer if that is there by then.
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    const replayed = ({ headers }: (typeof answers)[number]) => headers['idempotency-replayed'] === 'true';
    expect(answers.filter((answer) => answer.status === 200 && !replayed(answer))).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).not.toEqual([]);
    for (const { status, headers } of refused) {
      expect(status).toBe(409);
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect((await ask()).headers['x-ratelimit-remaining']).toBe('4999');
  });

  it('refuses the same key with another body with 422, and counts that against the rate', async () => {
    const project = await service.makeProject();
    await project.validate(body, withKey('two'));
    const { status, json, headers } = await project.validate({ email: 'john@gmail.com' }, withKey('two'));
    expect([status, json]).toEqual([422, { error: 'Idempotency-Key was used with another request body' }]);
    expect([headers['x-quota-used'], headers['x-ratelimit-remaining']]).toEqual(['1', '4998']);
  });

  it.each([
    ['is empty', ''],
    ['has a space', 'a b'],
    ['is longer than 255', 'k'.repeat(256)],
    ['is not ASCII', 'schlüssel'],
  ])('refuses a key that %s with 400', async (_what, key) => {
    const project = await service.makeProject();
    const { status, json } = await project.validate(body, withKey(key));
    expect(status).toBe(400);
    expect(json.error).toContain('Idempotency-Key');
  });

  it('accepts a key of 255 characters', async () => {
    const project = await service.makeProject();
    expect((await project.validate(body, withKey('~'.repeat(255)))).status).toBe(200);
  });

  it('evaluates a refused request again', async () => {
    const project = await service.makeProject({ quotaLimit: 1 });
    await project.validate(body);
    expect((await project.validate(body, withKey('three'))).status).toBe(402);
    expect((await project.validate(body, withKey('three'))).status).toBe(402);
    expect((await project.validate('nonsense', withKey('four'))).status).toBe(400);
    expect((await project.validate('nonsense', withKey('four'))).status).toBe(400);
    expect((await project.validate(body, withKey('four'))).status).toBe(402);
  });

  it('is separate for each project, and requires a valid API key first', async () => {
    const [one, other] = [await service.makeProject(), await service.makeProject()];
    await one.validate(body, withKey('shared'));
    expect((await other.validate(body, withKey('shared'))).headers['idempotency-replayed']).toBeUndefined();
    const unknown = await one.validate(body, { ...withKey('shared'), authorization: 'Bearer nonsense' });
    expect(unknown.status).toBe(401);
  });

  it('never answers a backend with what a page was told', async () => {
    const project = await service.makeProject();
    const asked = { ...body, ip: '185.220.101.1' };
    await project.validateFromPage(asked, withKey('signup-42'));
    const backend = await project.validate(asked, withKey('signup-42'));
    expect(backend.headers['idempotency-replayed']).toBeUndefined();
    expect(backend.json.checks.ip.metadata.address).toBe('185.220.101.1');
    const again = await project.validate(asked, withKey('signup-42'));
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.json).toEqual(backend.json);
  });

  it('is allowed in a preflight', async () => {
    const { headers } = await service.ask({
      method: 'OPTIONS',
      path: '/validate',
      headers: { origin: 'https://example.com', 'access-control-request-method': 'POST' },
    });
    expect(headers['access-control-allow-headers']).toContain('Idempotency-Key');
  });
});

it('a repeat gets the first answer after a restart too', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'postern-idempotency-'));
  const before = await startService({ dataDir });
  const project = await before.makeProject();
  const first = await project.validate(body, withKey('restart'));
  await before.stop();
  const after = await startService({ dataDir });
  const headers = {
    authorization: `Bearer ${project.serverKey}`,
    'x-project-id': project.id,
    ...withKey('restart'),
  };
  const again = await after.ask({ method: 'POST', path: '/validate', headers, body: JSON.stringify(body) });
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
  expect(again.text).toBe(first.text);
  await before.close();
  await after.close();
  await rm(dataDir, { recursive: true, force: true });
});
