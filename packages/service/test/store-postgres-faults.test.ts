import { inspect } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Store, StoreUnavailable } from '../src/store/store.ts';
import { openPostgresStore } from './support/open-postgres.ts';
import { type PostgresServer, type PostgresTestDatabase, postgresServer } from './support/postgres.ts';
import { admitted, makeCaller, NOTED, submissionOf, updateProject } from './support/store-fixtures.ts';

const MONTH = '2026-11';
const ours = process.env.POSTERN_TEST_DATABASE_URL === undefined;

let server: PostgresServer;
let database: PostgresTestDatabase;
let store: Store;
beforeAll(async () => {
  server = await postgresServer();
  database = await server.database();
  store = await openPostgresStore(database);
});
afterAll(async () => {
  await store?.close();
  await server?.remove();
});

const WAITS_LONG = `SELECT FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND datname = current_database() AND clock_timestamp() - query_start > INTERVAL '50 ms'`;

/** Runs the work while another session locks the project’s row. */
async function whileLocked<T>(projectId: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM project WHERE id = $1 FOR UPDATE', [projectId]);
  try {
    return await work();
  } finally {
    await client.query('ROLLBACK');
    await client.end();
  }
}

async function makeCallerAndClose(opened: Store) {
  const caller = await makeCaller(opened);
  await opened.close();
  return caller;
}

async function expectUnavailable(work: () => Promise<unknown>): Promise<void> {
  await expect(work()).rejects.toBeInstanceOf(StoreUnavailable);
}

/** Polls until the condition is true, or the test times out. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('PostgreSQL that refuses the service', () => {
  it.each(['postgres://postern:se/cret@127.0.0.1:1/x', 'postgres://postern:se#cret@127.0.0.1:1/x'])(
    'an unreadable URL is reported without its password: %s',
    async (url) => {
      const error = await openPostgresStore({ url }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(String(error)).toContain('POSTERN_DATABASE_URL cannot be read');
      expect(inspect(error, { depth: 9 })).not.toContain('cret@');
    },
  );

  it.runIf(ours)(
    'says which right a user lacks, and asks for none to make tables once they are there',
    async () => {
      const empty = await server.database();
      const weak = new URL(empty.url);
      [weak.username, weak.password] = [`weak_${process.pid}`, 'weak'];
      const owner = new pg.Client({ connectionString: empty.url });
      await owner.connect();
      await owner.query(`CREATE ROLE ${weak.username} LOGIN PASSWORD 'weak'`);
      await expect(openPostgresStore({ url: weak.href })).rejects.toThrow(
        /lacks a permission.*postern migrate/,
      );

      const caller = await makeCallerAndClose(await openPostgresStore(empty));
      await owner.query(
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${weak.username}`,
      );
      const serving = await openPostgresStore({ url: weak.href });
      expect(admitted(await serving.settle(submissionOf(caller))).quota.used).toBe(1);
      await serving.close();
      await owner.query(`DROP OWNED BY ${weak.username}`);
      await owner.query(`DROP ROLE ${weak.username}`);
      await owner.end();
      await empty.remove();
    },
  );

  it('stores NUL as the replacement character', async () => {
    const { project } = await makeCaller(store);
    expect((await updateProject(store, project.id, { name: 'a\0b' })).name).toBe('a\uFFFDb');
    expect(await store.projects.find('\0')).toBeUndefined();
    expect(await store.log.find(project.id, '\0')).toBeUndefined();
  });
});

describe('PostgreSQL with problems', () => {
  it('is unavailable within two seconds while the project is locked, and counts nothing', async () => {
    const caller = await makeCaller(store);
    await whileLocked(caller.project.id, async () => {
      await Promise.all([
        expectUnavailable(() => store.settle(submissionOf(caller))),
        expectUnavailable(() => store.settle(submissionOf(caller, { inbox: 'second' }))),
      ]);
    });
    expect(admitted(await store.settle(submissionOf(caller))).quota.used).toBe(1);
  });

  it('is unavailable within two seconds while all connections are in use, and only then', async () => {
    const narrow = await openPostgresStore({ url: database.url, connections: 1 });
    const [taking, waiting] = [await makeCaller(store), await makeCaller(store)];
    await whileLocked(taking.project.id, async () => {
      const first = narrow.settle(submissionOf(taking)).catch((error: unknown) => error);
      await expectUnavailable(() => narrow.settle(submissionOf(waiting)));
      expect(await first).toBeInstanceOf(StoreUnavailable);
    });
    expect(admitted(await narrow.settle(submissionOf(waiting))).quota.used).toBe(1);
    await narrow.close();
  });

  it.runIf(ours)('is unavailable within two seconds while the server has no connection left', async () => {
    const role = `narrow_${process.pid}`;
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'narrow' CONNECTION LIMIT 4`);
    await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
    const url = new URL(database.url);
    [url.username, url.password] = [role, 'narrow'];
    const narrow = await openPostgresStore({ url: url.href });
    const caller = await makeCaller(store);
    // Others take all connections. Those of the migrations may take a moment to close.
    const others: pg.Client[] = [];
    await eventually(async () => {
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      return others.push(client) === 4;
    });
    await expectUnavailable(() => narrow.findKey(caller.key.hash));
    await expectUnavailable(() => narrow.settle(submissionOf(caller)));
    await Promise.all(others.map((client) => client.end()));
    await eventually(async () => {
      await narrow.ping();
      return true;
    });
    expect(admitted(await narrow.settle(submissionOf(caller))).quota.used).toBe(1);
    await narrow.close();
    await owner.query(`DROP OWNED BY ${role}`);
    await owner.query(`DROP ROLE ${role}`);
    await owner.end();
  });

  it.runIf(ours)(
    'gives requests the connections that administration had at the start, soon after',
    async () => {
      const role = `small_${process.pid}`;
      const owner = new pg.Client({ connectionString: database.url });
      await owner.connect();
      await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'narrow' CONNECTION LIMIT 3`);
      await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
      const url = new URL(database.url);
      [url.username, url.password] = [role, 'narrow'];
      const small = await openPostgresStore({ url: url.href });
      const caller = await makeCaller(store);
      await Promise.all([1, 2, 3].map(() => small.projects.list()));
      // Much less than the minute for which connections of requests are kept.
      const since = Date.now();
      await eventually(async () => {
        await small.settle(submissionOf(caller));
        return true;
      });
      expect(Date.now() - since).toBeLessThan(30_000);
      await small.close();
      await owner.query(`DROP OWNED BY ${role}`);
      await owner.query(`DROP ROLE ${role}`);
      await owner.end();
    },
  );

  it('loses nothing that it answered if connections are cut under load, and counts nothing twice', async () => {
    const caller = await makeCaller(store);
    const killer = new pg.Client({ connectionString: database.url });
    await killer.connect();
    const acknowledged: string[] = [];
    let answered = 0;
    let cut = 0;
    let ending = false;
    const load = Array.from({ length: 16 }, async (_, client) => {
      for (let number = 0; !ending; number += 1) {
        try {
          const requestId = `request-${client}-${number}`;
          admitted(await store.settle(submissionOf(caller, { inbox: requestId, log: { requestId } })));
          answered += 1;
          acknowledged.push(requestId);
        } catch (error) {
          expect(error).toBeInstanceOf(StoreUnavailable);
          cut += 1;
        }
      }
    });
    // If no batch is in progress, nothing is cut, so more rounds may be needed.
    for (let round = 1; round <= 8 || cut === 0; round += 1) {
      const enough = answered + 60;
      await eventually(() => Promise.resolve(answered > enough));
      await killer.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'postern' AND datname = current_database() AND state = 'active'`,
      );
    }
    ending = true;
    await Promise.all(load);
    await killer.end();
    expect(cut).toBeGreaterThan(0);
    // A request whose answer was lost may have been counted.
    const { id } = caller.project;
    const used = await store.projects.usage(id, MONTH);
    expect(used).toBeLessThanOrEqual(answered + cut);
    const { rows } = await store.log.page(id, {}, answered + cut + 1, null);
    expect(rows).toHaveLength(used);
    const logged = new Set(rows.map(({ requestId }) => requestId));
    expect(logged.size).toBe(used);
    expect(acknowledged.filter((requestId) => !logged.has(requestId))).toEqual([]);
  });

  it.runIf(ours)('has on disk what it answered', async () => {
    const caller = await makeCaller(store);
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query("SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'");
    // No other commit brings it to disk.
    process.kill(rows[0].pid, 'SIGSTOP');
    const settled = await whileLocked(caller.project.id, async () => {
      const settling = store.settle(submissionOf(caller));
      await eventually(async () => (await client.query(WAITS_LONG)).rows.length === 1);
      return { settling };
    });
    expect(admitted(await settled.settling).quota.used).toBe(1);
    const gone = server.kill();
    process.kill(rows[0].pid, 'SIGKILL');
    await gone;
    await server.start();
    await eventually(async () => {
      await store.ping();
      return true;
    });
    expect(await store.projects.usage(caller.project.id, MONTH)).toBe(1);
    await client.end();
  });

  it.runIf(ours)('is unavailable immediately while the server is down, and recovers by itself', async () => {
    const caller = await makeCaller(store);
    await store.settle(submissionOf(caller));
    await server.stop();
    await expectUnavailable(() => store.settle(submissionOf(caller)));
    await expectUnavailable(() => store.findKey(caller.key.hash));
    await expectUnavailable(() => store.ping());
    await expectUnavailable(() => store.projects.list());
    await expectUnavailable(() => store.refund(caller.project.id, MONTH));
    await server.start();
    await eventually(async () => {
      await store.ping();
      return true;
    });
    expect((await store.findKey(caller.key.hash))?.key.id).toBe(caller.key.id);
    expect(admitted(await store.settle(submissionOf(caller))).quota.used).toBe(2);
  });

  it('is unavailable while the database accepts no connections', async () => {
    const own = await server.database();
    const shut = await openPostgresStore(own);
    const caller = await makeCaller(shut);
    const name = new URL(own.url).pathname.slice(1);
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await owner.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await owner.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await eventually(() =>
      shut.ping().then(
        () => false,
        () => true,
      ),
    );
    await expectUnavailable(() => shut.settle(submissionOf(caller)));
    await owner.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await owner.end();
    await eventually(async () => admitted(await shut.settle(submissionOf(caller))).quota.used > 0);
    await shut.close();
    await own.remove();
  });

  it('deletes a project although one table takes longer than any page may wait', async () => {
    const own = await server.database();
    await (await openPostgresStore(own)).close();
    const owner = new pg.Client({ connectionString: own.url });
    await owner.connect();
    await owner.query(`ALTER DATABASE ${new URL(own.url).pathname.slice(1)} SET statement_timeout = '10s'`);
    await owner.query(`CREATE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(16); RETURN NULL; END $$`);
    await owner.query(
      'CREATE TRIGGER slow BEFORE DELETE ON api_key FOR EACH STATEMENT EXECUTE FUNCTION be_slow()',
    );
    const slow = await openPostgresStore({ url: own.url });
    const { project } = await makeCaller(slow);
    await updateProject(slow, project.id, { archivedAt: 1 });
    const deleting = slow.deleteProject(project.id, NOTED);
    const sleeping =
      "SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DELETE FROM api_key %'";
    await eventually(async () => (await owner.query(sleeping)).rows.length === 1);
    // It cannot be restored meanwhile.
    await expect(updateProject(slow, project.id, { archivedAt: null })).rejects.toThrow();
    expect(await deleting).toBe(true);
    expect(await slow.projects.find(project.id)).toBeUndefined();
    await owner.end();
    await slow.close();
    await own.remove();
  });

  it('refuses to open with a message about what is wrong', async () => {
    await expect(openPostgresStore({ url: 'postgres://nobody@127.0.0.1:1/nothing' })).rejects.toThrow(
      /refuses connections/,
    );
  });
});
