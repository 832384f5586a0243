import { afterAll, beforeAll, describe, it } from 'vitest';
import { killedUnderLoad } from './support/killed-under-load.ts';
import { type PostgresServer, type PostgresTestDatabase, sharedPostgresServer } from './support/postgres.ts';
import { racingProcesses } from './support/racing-processes.ts';
import { type SqliteTestDatabase, sqliteDatabase } from './support/sqlite-database.ts';

let server: PostgresServer;
let sqlite: SqliteTestDatabase;
let postgres: PostgresTestDatabase;
beforeAll(async () => {
  [server, sqlite] = await Promise.all([sharedPostgresServer(), sqliteDatabase()]);
  postgres = await server.database();
});
afterAll(async () => {
  await sqlite?.remove();
  await postgres?.remove();
  await server?.remove();
});

describe('kill -9 under load', () => {
  it('loses nothing that was answered on SQLite', () => killedUnderLoad('sqlite', sqlite.file, sqlite));
  it('loses nothing that was answered on PostgreSQL', () =>
    killedUnderLoad('postgres', postgres.url, postgres));
});

describe('four processes at once', () => {
  it('count exactly on SQLite', () => racingProcesses('sqlite', sqlite.file, sqlite));
  it('count exactly on PostgreSQL', () => racingProcesses('postgres', postgres.url, postgres));
});
