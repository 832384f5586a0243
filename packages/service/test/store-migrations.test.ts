import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdministeredStore } from '../src/store/administered-store.ts';
import type { Migration } from '../src/store/migration.ts';
import { parseDatabaseUrl } from '../src/store/postgres/database-target.ts';
import { migratePostgres } from '../src/store/postgres/migrate-postgres.ts';
import { postgresMigrations, sqliteMigrations } from '../src/store/schemas.ts';
import { openConnection } from '../src/store/sqlite/connection.ts';
import { migrateSqlite } from '../src/store/sqlite/migrate-sqlite.ts';
import { type PostgresServer, sharedPostgresServer } from './support/postgres.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import { START, seeDevice } from './support/store-fixtures.ts';

/** One project’s data as the first schema stores it. Once that is released, never change it. */
const FIRST_ROWS = [
  `INSERT INTO project (id, name, allowed_domains, plan, quota_limit, rate_client, rate_server, visitor_rate, server_reserve,
     policy, allow_list, block_list, retention_days, created_at, archived_at, version)
   VALUES ('old', 'Old', '["example.com"]', 'free', NULL, 1000, 5000, 120, 0, '{"deviceThreshold":3}', '[]', '[]', 90,
     ${START}, NULL, 4)`,
  `INSERT INTO api_key (project_id, id, type, mode, name, hash, hint, created_at, expires_at, revoked_at,
     last_used_at, version)
   VALUES ('old', 'old-key', 'server', 'live', 'Key', 'old-hash', 'ps', ${START}, NULL, NULL, NULL, 2)`,
  "INSERT INTO key_directory (handle, project_id, key_id) VALUES ('hash:old-hash', 'old', 'old-key')",
  "INSERT INTO key_directory (handle, project_id, key_id) VALUES ('id:old-key', 'old', 'old-key')",
  "INSERT INTO quota (project_id, month, used) VALUES ('old', '2026-11', 41)",
  `INSERT INTO rate_bucket (project_id, lane, second, count, last_at, counted)
   VALUES ('old', 'server', ${START / 1_000}, 7, ${START}, 7)`,
  "INSERT INTO secret (name, value) VALUES ('keyed-hash', 'old secret')",
];
const SIGHTINGS = [
  `INSERT INTO device (project_id, device, inboxes, oldest_day)
   VALUES ('old', 'd', '[["a",${START},${START},1,0,1,"n","",5,0,4],["b",${START},${START},1,0,1,"n","",5,0,4]]', 20772)`,
];

async function expectEverythingThere(store: AdministeredStore): Promise<void> {
  const found = await store.findKey('old-hash');
  if (!found) throw new Error('The key is gone');
  expect(found).toMatchObject({ key: { id: 'old-key', version: 2 }, project: { id: 'old', version: 4 } });
  const device = await seeDevice(store, found, { device: 'd', inbox: 'c', network: 'n', now: START + 1 });
  expect(device).toMatchObject({ previousSignups: 2, networks: 1, firstSeen: START });
  expect(await store.projects.usage('old', '2026-11')).toBe(42);
  expect(await store.instance.secret('keyed-hash', () => 'new')).toBe('old secret');
  await store.close();
}

/** The present steps and one that a later version might add. */
function withNext(migrations: readonly Migration[]): Migration[] {
  const number = migrations.length + 1;
  const sql =
    'CREATE TABLE next (id TEXT NOT NULL PRIMARY KEY); ALTER TABLE project ADD COLUMN next_fact TEXT';
  return [...migrations, { number, name: 'next', sql, compatibleFrom: number - 1 }];
}

describe('a database of an earlier version', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await sharedPostgresServer();
  });
  afterAll(() => server?.remove());

  it('keeps all its data in a step of SQLite’s schema, and the version before it goes on using it', async () => {
    const database = await sqliteDatabase();
    const connection = openConnection(database.file, 'write');
    expect(migrateSqlite(connection, sqliteMigrations)).toEqual(sqliteMigrations.map(({ number }) => number));
    for (const sql of [...FIRST_ROWS, ...SIGHTINGS]) connection.exec(sql);
    expect(migrateSqlite(connection, withNext(sqliteMigrations))).toEqual([sqliteMigrations.length + 1]);
    connection.close();
    await expectEverythingThere(await database.open());
    await database.remove();
  });

  it('keeps all its data in a step of PostgreSQL’s schema, and the version before it goes on using it', async () => {
    const database = await server.database();
    const target = parseDatabaseUrl(database.url);
    expect(await migratePostgres(target, postgresMigrations)).toEqual(
      postgresMigrations.map(({ number }) => number),
    );
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    for (const sql of [...FIRST_ROWS, ...SIGHTINGS]) await client.query(sql);
    await client.end();
    expect(await migratePostgres(target, withNext(postgresMigrations))).toEqual([
      postgresMigrations.length + 1,
    ]);
    await expectEverythingThere(await database.open());
    await database.remove();
  });

  it('waits for who reads a table without stopping others who read it, and says who it is', async () => {
    const database = await server.database();
    const target = parseDatabaseUrl(database.url);
    await migratePostgres(target, postgresMigrations);
    const [reader, other] = [1, 2].map(() => new pg.Client({ connectionString: database.url }));
    if (reader === undefined || other === undefined) throw new Error('There are two');
    await Promise.all([reader.connect(), other.connect()]);
    await reader.query('BEGIN; LOCK TABLE project IN ACCESS SHARE MODE');
    const { rows } = await reader.query('SELECT pg_backend_pid() AS pid');

    const holders: string[] = [];
    let blocked = () => {};
    const twice = new Promise<void>((resolve) => {
      blocked = () => holders.length === 2 && resolve();
    });
    const migrating = migratePostgres(target, withNext(postgresMigrations), undefined, {
      onBegin: () => {},
      onBlocked: (holder) => {
        holders.push(holder);
        blocked();
      },
    });
    await twice;
    // It would wait for the reader’s end if the migration still queued for its lock.
    await other.query('SELECT count(*) FROM project');
    expect(holders.join()).toContain(`pid ${rows[0]?.pid} (`);
    await reader.query('COMMIT');
    expect(await migrating).toEqual([postgresMigrations.length + 1]);
    await Promise.all([reader.end(), other.end()]);
    await database.remove();
  });
});
