import { join } from 'node:path';
import pg from 'pg';
import { disableBusyTimeout, openConnection } from '../../src/store/sqlite/connection.ts';

/** Makes the insertion of some rows take minutes, so that a test can end a process in the middle of a transaction. */
export interface SlowInsert {
  /** Waits until a transaction is at that row. */
  reached(): Promise<void>;
  /** After the process was killed: everything is as fast as before. */
  end(): Promise<void>;
}

/** `when` is a condition on `NEW`. */
export function slowInsert(
  settings: Readonly<Record<string, string>>,
  table: string,
  when: string,
): Promise<SlowInsert> {
  const { POSTERN_DATABASE_URL: url, POSTERN_DATA_DIR: folder = '' } = settings;
  return url === undefined ? onSqlite(join(folder, 'postern.db'), table, when) : onPostgres(url, table, when);
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

/** Nothing else holds the write lock for this many looks in a row. */
const LOCKED_LOOKS = 30;

async function onSqlite(file: string, table: string, when: string): Promise<SlowInsert> {
  const connection = openConnection(file, 'write');
  disableBusyTimeout(connection);
  connection.exec(`
    CREATE VIEW slow_count AS
      WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000000000) SELECT x FROM n;
    CREATE TRIGGER slow_insert BEFORE INSERT ON ${table} WHEN ${when} BEGIN SELECT max(x) FROM slow_count; END`);
  const isLocked = () => {
    try {
      connection.exec('BEGIN IMMEDIATE');
      connection.exec('ROLLBACK');
      return false;
    } catch {
      return true;
    }
  };
  return {
    async reached() {
      for (let looks = 0; looks < LOCKED_LOOKS; looks = isLocked() ? looks + 1 : 0) await pause();
    },
    async end() {
      while (isLocked()) await pause();
      connection.exec('DROP TRIGGER slow_insert; DROP VIEW slow_count');
      connection.close();
    },
  };
}

async function onPostgres(url: string, table: string, when: string): Promise<SlowInsert> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    CREATE FUNCTION slow_insert() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF ${when} THEN PERFORM pg_sleep(600); END IF; RETURN NEW; END $$;
    CREATE TRIGGER slow_insert BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION slow_insert()`);
  const SLEEPING = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
  return {
    async reached() {
      while ((await client.query(`SELECT 1 ${SLEEPING}`)).rowCount === 0) await pause();
    },
    async end() {
      // The server notices only at the end of the statement that the client is gone.
      await client.query(`SELECT pg_terminate_backend(pid) ${SLEEPING}`);
      await client.query(`DROP TRIGGER slow_insert ON ${table}; DROP FUNCTION slow_insert`);
      await client.end();
    },
  };
}
