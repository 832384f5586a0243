import Libsql from 'libsql';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openPostgresStore } from '../src/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { type Store, StoreUnavailable } from '../src/store/store.ts';
import type { AnswerClaim, HeldClaim } from '../src/store/tables/answer-table.ts';
import { sharedPostgresServer } from './support/postgres.ts';
import { BACK_ENDS } from './support/service-on.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import { admitted, type Caller, makeCaller, START, submissionOf } from './support/store-fixtures.ts';

const WAIT = { timeout: 60_000, interval: 50 };

const SQL = {
  sqlite: {
    /** Counting nine million pairs takes some tenths of a second. */
    slowLog: `CREATE TABLE slow (n INTEGER);
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
        INSERT INTO slow SELECT n FROM numbers;
      CREATE TRIGGER slow_log AFTER INSERT ON validation_log
      BEGIN SELECT count(*) FROM slow AS a, slow AS b WHERE a.n <> -b.n; END`,
    refuse: (event: string) => `CREATE TRIGGER refuse_${event} BEFORE ${event} ON validation_log
      BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`,
    allow: (event: string) => `DROP TRIGGER refuse_${event}`,
  },
  postgres: {
    slowLog: `CREATE FUNCTION slow_log() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END $$;
      CREATE TRIGGER slow_log AFTER INSERT ON validation_log FOR EACH ROW EXECUTE FUNCTION slow_log()`,
    refuse: (event: string) => `CREATE FUNCTION refuse_${event}() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$;
      CREATE TRIGGER refuse_${event} BEFORE ${event} ON validation_log FOR EACH ROW
      EXECUTE FUNCTION refuse_${event}()`,
    allow: (event: string) => `DROP TRIGGER refuse_${event} ON validation_log`,
  },
};

interface Opened {
  /** The same database opened twice, as by two processes. */
  readonly store: Store;
  readonly other: Store;
  readonly caller: Caller;
  /** Runs SQL beside the stores. */
  sql(text: string): Promise<void>;
  /** Of PostgreSQL. */
  readonly url: string;
}

async function open(backEnd: (typeof BACK_ENDS)[number]): Promise<Opened> {
  const sqlite = backEnd === 'sqlite' ? await sqliteDatabase() : undefined;
  const postgres = sqlite ? undefined : await (await sharedPostgresServer()).database();
  const database = sqlite ?? postgres;
  if (!database) throw new Error('There is no database');
  // With the time limits of requests.
  const openStore = () =>
    sqlite ? openSqliteStore(sqlite) : openPostgresStore({ url: postgres?.url ?? '' });
  const [store, other] = await Promise.all([openStore(), openStore()]);
  onTestFinished(async () => {
    await Promise.allSettled([store.close(), other.close()]);
    await database.remove();
  });
  return {
    store,
    other,
    caller: await makeCaller(store),
    url: postgres?.url ?? '',
    async sql(text) {
      if (sqlite) {
        const connection = new Libsql(sqlite.file, { timeout: 30_000 });
        connection.exec(text);
        connection.close();
        return;
      }
      const client = new pg.Client({ connectionString: postgres?.url ?? '' });
      await client.connect();
      await client.query(text);
      await client.end();
    },
  };
}

const claimAt = (keyHash: string, token: string, now: number): AnswerClaim => ({
  keyHash,
  requestHash: 'request',
  token,
  now,
});

async function claimed(store: Store, projectId: string, claim: AnswerClaim): Promise<HeldClaim> {
  const result = await store.answers.claim(projectId, claim);
  if (result.state !== 'claimed') throw new Error(`The request is ${result.state}`);
  return result.claim;
}

describe.each(BACK_ENDS)('a request that is counted after its caller was refused, on %s', (backEnd) => {
  const { slowLog, refuse, allow } = SQL[backEnd];

  /** A claim whose request was counted too late, and whose count cannot be undone yet. */
  async function lateClaim({ store, other, caller, sql }: Opened): Promise<HeldClaim> {
    const { id } = caller.project;
    await sql(slowLog);
    await sql(refuse('DELETE'));
    for (let attempt = 0; ; attempt += 1) {
      const claim = await claimed(store, id, claimAt(`key-${attempt}`, 'first', Date.now()));
      const settling = store.settle({ ...submissionOf(caller), claim }, 200);
      await expect(settling).rejects.toBeInstanceOf(StoreUnavailable);
      // On a busy machine the store may see in time that nobody waits, and count nothing. Then its claim ends.
      const repeat = claimAt(claim.keyHash, 'repeat', Date.now());
      await vi.waitFor(async () => {
        const isCounted = (await other.log.find(id, claim.logId)) !== undefined;
        expect(isCounted || (await other.answers.claim(id, repeat)).state === 'claimed').toBe(true);
      }, WAIT);
      if ((await other.log.find(id, claim.logId)) !== undefined) return claim;
      if (attempt === 20) throw new Error('No request was counted late');
    }
  }

  it('keeps its claim until the count is undone, and ends it then', async () => {
    const opened = await open(backEnd);
    const { store, other, caller, sql } = opened;
    const { id } = caller.project;
    const counted = async (now: number) => {
      const { rate } = admitted(await other.settle(submissionOf(caller, { now }), WAIT.timeout));
      return rate.limit - rate.remaining;
    };
    expect(await counted(START - 5_000)).toBe(1);
    const late = await lateClaim(opened);
    expect(await counted(START + 5_000)).toBe(3);
    const repeat = claimAt(late.keyHash, 'repeat', Date.now());
    expect(await other.answers.claim(id, repeat)).toMatchObject({ state: 'under-way' });

    await sql(allow('DELETE'));
    await vi.waitFor(async () => expect(await other.log.find(id, late.logId)).toBeUndefined(), WAIT);
    const next = await claimed(other, id, repeat);
    expect(next.logId).not.toBe(late.logId);
    expect(await store.projects.usage(id, submissionOf(caller).month)).toBe(2);
    // The seconds before and after the one that was undone still count.
    expect(await counted(START + 6_000)).toBe(3);
  });

  it('stays counted if its process dies, and the repeat does not count again', async () => {
    const opened = await open(backEnd);
    const { store, other, caller, sql } = opened;
    const { id } = caller.project;
    const late = await lateClaim(opened);
    const repeat = claimAt(late.keyHash, 'repeat', Date.now() + 3_600_000);
    expect(await other.answers.claim(id, repeat)).toMatchObject({
      state: 'claimed',
      claim: { logId: late.logId },
      counted: true,
    });

    // The process lives after all. Closing its store tries once more to undo the count.
    await sql(allow('DELETE'));
    await store.close();
    expect(await other.log.find(id, late.logId)).toBeDefined();
    expect(await other.projects.usage(id, submissionOf(caller).month)).toBe(1);
  });
});

it.each(BACK_ENDS)('a request that the %s store could not count loses its claim', async (backEnd) => {
  const { store, other, caller, sql } = await open(backEnd);
  const { id } = caller.project;
  await sql(SQL[backEnd].refuse('INSERT'));
  const claim = await claimed(store, id, claimAt('key', 'first', Date.now()));
  await expect(store.settle({ ...submissionOf(caller), claim })).rejects.toThrow();
  await vi.waitFor(() => claimed(other, id, claimAt('key', 'repeat', Date.now())), WAIT);
});

it('a PostgreSQL batch whose answer was lost stays counted for the repeat that took it over', async () => {
  const { store, other, caller, sql, url } = await open('postgres');
  const { id } = caller.project;
  // A batch that waited for the row lets others go early. It is gone when the store asks for it to be on disk.
  await sql(`CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
    CREATE TRIGGER lose BEFORE UPDATE ON settled_batch FOR EACH ROW EXECUTE FUNCTION lose()`);
  await sql(SQL.postgres.refuse('DELETE'));
  const [client, watcher] = [1, 2].map(() => new pg.Client({ connectionString: url })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([client.connect(), watcher.connect()]);
  const settleBehindLock = async (claim: HeldClaim) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM project WHERE id = $1 FOR UPDATE', [id]);
    const settling = store.settle({ ...submissionOf(caller), claim });
    const refused = expect(settling).rejects.toBeInstanceOf(StoreUnavailable);
    await vi.waitFor(async () => expect((await watcher.query(WAITS)).rows).toHaveLength(1), WAIT);
    await client.query('ROLLBACK');
    await refused;
  };
  let lost: HeldClaim | undefined;
  for (let attempt = 0; lost === undefined && attempt < 20; attempt += 1) {
    const claim = await claimed(store, id, claimAt(`key-${attempt}`, 'first', Date.now()));
    await settleBehindLock(claim);
    // On a busy machine the batch may wait too long for the row. Then it counts nothing.
    if ((await other.log.find(id, claim.logId)) !== undefined) lost = claim;
  }
  await Promise.all([client.end(), watcher.end()]);
  const repeat = claimAt(lost?.keyHash ?? '', 'repeat', Date.now() + 3_600_000);
  expect(await other.answers.claim(id, repeat)).toMatchObject({ counted: true });

  await sql(SQL.postgres.allow('DELETE'));
  // Tries once more to undo what was lost.
  await store.close();
  expect(await other.log.find(id, lost?.logId ?? '')).toBeDefined();
  expect(await other.projects.usage(id, submissionOf(caller).month)).toBe(1);
});

const WAITS = `SELECT FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND datname = current_database() AND clock_timestamp() - query_start > INTERVAL '20 ms'`;
