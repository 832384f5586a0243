import { join } from 'node:path';
import Libsql from 'libsql';
import pg from 'pg';
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

/** Asks until it holds; the test’s own time limit ends it. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

function used(service: TestService, { id }: TestProject): Promise<number> {
  return service.admin(({ store }) => store.projects.usage(id, new Date().toISOString().slice(0, 7)));
}

/** The next answer is a 200, and it is the only one that counts. */
async function expectToGoOn(service: TestService, project: TestProject, before: number): Promise<void> {
  await eventually(async () => (await used(service, project)) === before);
  const { status, headers } = await project.validate(EMAIL);
  expect([status, headers['x-quota-used']]).toEqual([200, String(before + 1)]);
}

describe('PostgreSQL behind a slow line', () => {
  let server: PostgresServer;
  let database: PostgresTestDatabase;
  let proxy: DatabaseProxy;
  let service: TestService;
  let warm: TestProject;
  beforeAll(async () => {
    server = await sharedPostgresServer();
    database = await server.database();
    proxy = await databaseProxy(database.url);
    service = await startService({ env: { POSTERN_DATABASE_URL: proxy.through(database.url) } });
    warm = await service.makeProject();
  });
  afterAll(async () => {
    await service?.close();
    await proxy?.close();
    await database?.remove();
    await server?.remove();
  });

  /** Answers come late while the work is done, on connections that were open before. */
  async function whileSlow(delayMs: number, work: () => Promise<void>): Promise<void> {
    await eventually(async () => (await warm.validate(EMAIL)).status === 200);
    proxy.delayAnswers(delayMs);
    await work().finally(() => proxy.delayAnswers(0));
  }

  it('keeps no caller waiting for key and count together, and counts nothing of it', async () => {
    const project = await service.makeProject();
    await whileSlow(1_100, async () => {
      await expectUnavailable(project.validate(EMAIL));
      // It was counted when nobody waited for it any more, and goes back although the line is still slow.
      await eventually(async () => (await quotaOf(project)) === 0);
    });
    await expectToGoOn(service, project, 0);
  });

  /** What is counted, asked of the server itself; `undefined` when nothing ever was. */
  async function quotaOf({ id }: TestProject): Promise<number | undefined> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query('SELECT used::INT FROM quota WHERE project_id = $1', [id]);
    await client.end();
    return rows[0]?.used;
  }

  it('keeps nobody waiting whose key has to be read again because it changed', async () => {
    const project = await service.makeProject();
    expect((await project.validate(EMAIL)).status).toBe(200);
    await service.admin((admin) => updateProject(admin, project.id, { name: 'Changed' }));
    await whileSlow(700, () => expectUnavailable(project.validate(EMAIL)));
    await expectToGoOn(service, project, 1);
  });

  it('tells in time who is beyond the quota', async () => {
    const project = await service.makeProject({ quotaLimit: 0 });
    expect((await project.validate(EMAIL)).status).toBe(402);
    await whileSlow(700, async () => {
      expect((await project.validate(EMAIL)).status).toBe(402);
    });
  });

  it('says in time that it is not ready when no answer comes', async () => {
    await whileSlow(5_000, async () => {
      expect((await service.ask({ path: '/readyz' })).status).toBe(503);
    });
  });

  it('that refuses connections is a 503 at once, and service resumes by itself', async () => {
    const project = await service.makeProject();
    expect((await project.validate(EMAIL)).status).toBe(200);
    await proxy.shut();
    const unknown = await Promise.all([1, 2, 3].map(() => expectUnavailable(project.validate(EMAIL))));
    expect(unknown).toHaveLength(3);
    await expectUnavailable(project.validateFromPage(EMAIL));
    await proxy.open();
    await eventually(async () => (await service.ask({ path: '/readyz' })).status === 200);
    await expectToGoOn(service, project, 1);
  });
});

describe('SQLite whose file another program holds', () => {
  let service: TestService;
  beforeAll(async () => {
    const known = ordinaryMail('gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com');
    service = await startService({
      zone: { ...known, 'slow-house.net': 'silent' },
      env: { POSTERN_DNS_BUDGET_MS: '1200' },
    });
  });
  afterAll(() => service?.close());

  it('keeps nobody waiting for a silent resolver and the store together', async () => {
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
    await expectToGoOn(service, project, 1);
  });

  it('keeps no caller waiting for key and count together, and counts nothing of it', async () => {
    const [known, fresh] = [await service.makeProject(), await service.makeProject()];
    expect((await known.validate(EMAIL)).status).toBe(200);
    const holder = new Libsql(join(service.dataDir, 'postern.db'));
    holder.exec('BEGIN IMMEDIATE');
    try {
      // The first keeps the store’s thread waiting for the file; those that come meanwhile wait for the thread.
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
    await expectToGoOn(service, known, 1);
    await expectToGoOn(service, fresh, 0);
  });
});
