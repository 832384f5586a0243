import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../dist/open-store.js';
import { makeSigningKey } from '../dist/record/verdict.js';
import { createKey, startService, type TestProject, type TestService } from './support/service.ts';

let dataDir: string;
let service: TestService;

const body = { email: 'jane.doe@gmail.com' };
const SIGNED = { prefer: 'verdict' };
const usage = ({ id }: TestProject) =>
  service.admin(({ store }) => store.projects.usage(id, new Date().toISOString().slice(0, 7)));

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postern-500-'));
  const store = await openStore({ databaseUrl: undefined, dataDir });
  // A signing key that cannot be read: every verdict fails, after the request was counted.
  await store.instance.firstSigningKey({ ...makeSigningKey(0), privateKey: 'not a key' });
  await store.close();
  service = await startService({ dataDir });
});
afterAll(async () => {
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
});

describe('an error while the answer is created', () => {
  it('is a 500 with one fixed sentence; the log has the rest under the request’s ID', async () => {
    const project = await service.makeProject();
    const answer = await project.validate(body, { 'x-request-id': 'broken-1', ...SIGNED });
    expect([answer.status, answer.json]).toEqual([500, { error: 'An internal error occurred' }]);
    expect(answer.headers['x-request-id']).toBe('broken-1');
    expect(answer.headers['x-postern-verdict']).toBeUndefined();
    await expect.poll(service.output).toContain('broken-1');
  });

  it('refunds exactly the quota, and still counts against the rate', async () => {
    const project = await service.makeProject({ quotaLimit: 2 });
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => project.validate(body, SIGNED)));
    // Some may be refused while others hold the quota for a moment. None keeps it.
    for (const { status } of answers) expect([500, 402]).toContain(status);
    expect(answers.filter(({ status }) => status === 500).length).toBeGreaterThanOrEqual(2);
    expect(await usage(project)).toBe(0);
    const last = await project.validate(body, SIGNED);
    expect(last.status).toBe(500);
    expect(last.headers).toMatchObject({
      'x-quota-limit': '2',
      'x-quota-used': '0',
      'x-quota-remaining': '2',
      'x-ratelimit-remaining': String(5_000 - 7),
    });
    expect(await usage(project)).toBe(0);
  });

  it('refunds nothing for a test key, which used nothing', async () => {
    const project = await service.makeProject();
    const { secret } = await service.admin((admin) =>
      createKey(admin, { projectId: project.id, type: 'server', mode: 'test' }),
    );
    expect((await project.validate(body, { authorization: `Bearer ${secret}`, ...SIGNED })).status).toBe(500);
    expect(await usage(project)).toBe(0);
  });
});
