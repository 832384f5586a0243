import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseProxy, databaseProxy } from './support/database-proxy.ts';
import { initialisePostgres, type PostgresProcess, startPostgres } from './support/postgres-process.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';

const PERSON = { email: 'jane.doe@gmail.com', fingerprintHash: 'the-device' };
const ours = process.env.POSTERN_TEST_DATABASE_URL === undefined && process.platform !== 'win32';

const WAITS_LONG = `SELECT count(*)::INT AS is FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND clock_timestamp() - query_start > INTERVAL '50 ms'`;

describe.runIf(ours)('PostgreSQL that fails over to a synchronous replica', () => {
  let folder: string;
  let primary: PostgresProcess;
  let replica: PostgresProcess;
  let startReplica: () => Promise<void>;
  let proxy: DatabaseProxy;
  let service: TestService;
  let project: TestProject;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postern-failover-'));
    await chmod(folder, 0o711);
    const [first, second] = [join(folder, 'primary'), join(folder, 'replica')];
    await initialisePostgres(first);
    // Before the first start, a copy of the folder is equivalent to a base backup.
    execFileSync('cp', ['-a', first, second]);
    await writeFile(join(second, 'standby.signal'), '');
    primary = await startPostgres(first, { synchronous_standby_names: '*' });
    const way = `host=127.0.0.1 port=${primary.port} user=postern password=postern`;
    startReplica = async () => {
      replica = await startPostgres(second, { primary_conninfo: way });
      await until(
        async () => (await query(primary, 'SELECT sync_state AS is FROM pg_stat_replication')) === 'sync',
      );
    };
    await startReplica();
    proxy = await databaseProxy(primary.url);
    service = await startService({
      realDeadlines: true,
      env: { POSTERN_DATABASE_URL: proxy.through(primary.url) },
    });
    project = await service.makeProject({ rateServer: 1_000_000, quotaLimit: 1_000_000 });
  });
  afterAll(async () => {
    await service?.close();
    await proxy?.close();
    await primary?.kill();
    await replica?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('answers no 200 that only the primary has, also of a batch that waited for its turn', async () => {
    const own = await service.makeProject({ rateServer: 1_000_000, quotaLimit: 1_000_000 });
    const status = async () => (await own.validate(PERSON)).status;
    expect(await status()).toBe(200);
    await replica.stop();
    const client = new pg.Client({ connectionString: primary.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM project WHERE id = $1 FOR UPDATE', [own.id]);
    const waited = status();
    await until(async () => (await query(primary, WAITS_LONG)) === 1);
    await client.query('ROLLBACK');
    await client.end();
    expect(await waited).toBe(503);
    expect(await status()).toBe(503);
    await startReplica();
    await until(async () => (await status()) === 200);
    await service.admin(async ({ store }) => {
      const month = new Date().toISOString().slice(0, 7);
      // A request that got a 503 may have been counted.
      expect(await store.projects.usage(own.id, month)).toBeGreaterThanOrEqual(2);
    });
  });

  it('answers 503 in time meanwhile, recovers by itself, and has counted every answered 200', async () => {
    const answered: string[] = [];
    let refused = 0;
    let number = 0;
    let ending = false;
    const load = Array.from({ length: 12 }, async () => {
      while (!ending) {
        number += 1;
        const id = `request-${number}`;
        const { status, headers } = await project.validate(PERSON, { 'x-request-id': id });
        expect([200, 503]).toContain(status);
        if (status === 200) answered.push(id);
        else {
          refused += 1;
          expect(Number(headers['retry-after'])).toBeGreaterThan(0);
          // After an immediate refusal, wait before asking again.
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    });
    try {
      await until(() => answered.length >= 150);
      await primary.kill();
      proxy.cut();
      const told = refused;
      await until(() => refused >= told + 24);
      const before = answered.length;
      // The replica is read-only until it is promoted, so requests to it are refused as well.
      proxy.turnTo(replica.url);
      const readOnly = refused;
      await until(() => refused >= readOnly + 24);
      expect(answered.length).toBe(before);
      await query(replica, 'SELECT pg_promote() AS is');
      await until(() => answered.length >= before + 150);
    } finally {
      ending = true;
    }
    await Promise.all(load);

    await service.admin(async ({ store }) => {
      const month = new Date().toISOString().slice(0, 7);
      await until(async () => (await store.projects.usage(project.id, month)) === answered.length);
      const { rows } = await store.log.page(project.id, {}, 10_000, null);
      const logged = new Set(rows.map((row) => row.requestId));
      expect(answered.filter((id) => !logged.has(id))).toEqual([]);
      expect(logged.size).toBe(rows.length);
    });
  });
});

async function query({ url }: PostgresProcess, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ is: unknown }>(sql)).rows[0]?.is;
  } finally {
    await client.end();
  }
}

/** Polls until the condition is true, or the test times out. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
