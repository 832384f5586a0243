import { join } from 'node:path';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseProxy, databaseProxy } from './support/database-proxy.ts';
import { ordinaryMail } from './support/dns-server.ts';
import type { Answer } from './support/http-client.ts';
import { type PostgresServer, type PostgresTestDatabase, sharedPostgresServer } from './support/postgres.ts';
import { startService, type TestProject, type TestService, updateProject } from './support/service.ts';

const EMAIL = { email: 'jane.doe@gmail.com' };

/**
 * The store never answers in these tests, or too late, so that any answer shows that the service did not wait for it.
 * How long a 503 takes depends on the machine and is not asserted here.
 */
async function expectUnavailable(answer: Promise<Answer>): Promise<void> {
  const { status, headers, json } = await answer;
  expect(status).toBe(503);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(json.error).toEqual(expect.any(String));
}

/** Polls until the condition is true, or the test times out. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

function used(service: TestService, { id }: TestProject): Promise<number> {
  return service.admin(({ store }) => store.projects.usage(id, new Date().toISOString().slice(0, 7)));
}

/** The next answer is a 200, and of the requests before it those answered 200 were counted, those answered 503 perhaps. */
async function expectToGoOn(
  service: TestService,
  project: TestProject,
  answered: number,
  unavailable: number,
): Promise<void> {
  await eventually(async () => (await project.validate(EMAIL)).status === 200);
  const counted = await used(service, project);
  expect(counted).toBeGreaterThan(answered);
  expect(counted).toBeLessThanOrEqual(answered + unavailable + 1);
}

describe('PostgreSQL behind a slow connection', () => {
  let server: PostgresServer;
  let database: PostgresTestDatabase;
  let proxy: DatabaseProxy;
  let service: TestService;
  let warm: TestProject;
  beforeAll(async () => {
    server = await sharedPostgresServer();
    database = await server.database();
    proxy = await databaseProxy(database.url);
    service = await startService({
      realDeadlines: true,
      env: { POSTERN_DATABASE_URL: proxy.through(database.url) },
    });
    warm = await service.makeProject();
  });
  afterAll(async () => {
    await service?.close();
    await proxy?.close();
    await database?.remove();
    await server?.remove();
  });

  /** Delays the answers on open connections while the work runs. */
  async function whileSlow(delayMs: number, work: () => Promise<void>): Promise<void> {
    await eventually(async () => (await warm.validate(EMAIL)).status === 200);
    proxy.delayAnswers(delayMs);
    await work().finally(() => proxy.delayAnswers(0));
  }

  it('refuses callers in time if key and count take too long together, and counts them at most once', async () => {
    const project = await service.makeProject();
    await whileSlow(900, () => expectUnavailable(project.validate(EMAIL)));
    await expectToGoOn(service, project, 0, 1);
  });

  it('answers in time if the key has to be read again because it changed', async () => {
    const project = await service.makeProject();
    expect((await project.validate(EMAIL)).status).toBe(200);
    await service.admin((admin) => updateProject(admin, project.id, { name: 'Changed' }));
    await whileSlow(700, () => expectUnavailable(project.validate(EMAIL)));
    await expectToGoOn(service, project, 1, 1);
  });

  it('answers 402 in time', async () => {
    const project = await service.makeProject({ quotaLimit: 0 });
    expect((await project.validate(EMAIL)).status).toBe(402);
    await whileSlow(700, async () => {
      expect((await project.validate(EMAIL)).status).toBe(402);
    });
  });

  it('reports in time that it is not ready if there is no answer', async () => {
    await whileSlow(5_000, async () => {
      expect((await service.ask({ path: '/readyz' })).status).toBe(503);
    });
  });

  it('that refuses connections causes an immediate 503, and the service recovers by itself', async () => {
    const project = await service.makeProject();
    expect((await project.validate(EMAIL)).status).toBe(200);
    await proxy.shut();
    const unknown = await Promise.all([1, 2, 3].map(() => expectUnavailable(project.validate(EMAIL))));
    expect(unknown).toHaveLength(3);
    await expectUnavailable(project.validateFromPage(EMAIL));
    await proxy.open();
    await eventually(async () => (await service.ask({ path: '/readyz' })).status === 200);
    await expectToGoOn(service, project, 1, 4);
  });
});

describe('SQLite whose file another program has locked', () => {
  let service: TestService;
  beforeAll(async () => {
    const known = ordinaryMail('gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com');
    service = await startService({
      realDeadlines: true,
      zone: { ...known, 'slow-house.net': 'silent' },
      env: { POSTERN_DNS_BUDGET_MS: '1200' },
    });
  });
  afterAll(() => service?.close());

  it('answers in time if both resolver and store are silent', async () => {
    const project = await service.makeProject();
    expect((await project.validate(EMAIL)).status).toBe(200);
    const holder = new Libsql(join(service.dataDir, 'postern.db'));
    holder.exec('BEGIN IMMEDIATE');
    try {
      await expectUnavailable(project.validate({ email: 'jane.doe@slow-house.net' }));
    } finally {
      holder.exec('ROLLBACK');
      holder.close();
    }
    await expectToGoOn(service, project, 1, 1);
  });

  it('refuses callers in time if key and count take too long together, and counts them at most once', async () => {
    const [known, fresh] = [await service.makeProject(), await service.makeProject()];
    expect((await known.validate(EMAIL)).status).toBe(200);
    const holder = new Libsql(join(service.dataDir, 'postern.db'));
    holder.exec('BEGIN IMMEDIATE');
    try {
      // The first one makes the store’s thread wait for the file. The others wait for the thread.
      const waiting = [expectUnavailable(known.validate(EMAIL))];
      for (let number = 0; number < 8; number += 1) {
        await new Promise((resolve) => setTimeout(resolve, 150));
        waiting.push(expectUnavailable(fresh.validate(EMAIL)), expectUnavailable(known.validate(EMAIL)));
      }
      await Promise.all(waiting);
    } finally {
      holder.exec('ROLLBACK');
      holder.close();
    }
    await expectToGoOn(service, known, 1, 9);
    await expectToGoOn(service, fresh, 0, 8);
  });
});
