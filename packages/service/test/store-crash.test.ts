import { describe, it } from 'vitest';
import { killedUnderLoad } from './support/killed-under-load.ts';
import { postgresServer } from './support/postgres.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';

describe('kill -9 under load', () => {
  it('loses nothing that was answered on SQLite', async () => {
    const database = await sqliteDatabase();
    await killedUnderLoad('sqlite', database.file, database);
    await database.remove();
  });

  it('loses nothing that was answered on PostgreSQL', { timeout: 60_000 }, async () => {
    const server = await postgresServer();
    const database = await server.database();
    await killedUnderLoad('postgres', database.url, database);
    await server.remove();
  });
});
