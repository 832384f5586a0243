import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdministeredStore } from '../src/store/administered-store.ts';
import { type PostgresServer, type PostgresTestDatabase, sharedPostgresServer } from './support/postgres.ts';
import { admitted, makeCaller, START, submissionOf } from './support/store-fixtures.ts';

const MONTH = '2026-11';
let server: PostgresServer;
beforeAll(async () => {
  server = await sharedPostgresServer();
});
afterAll(() => server?.remove());

async function onDatabase(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Two processes settle the same and different projects at once. Returns how many requests failed. */
async function settleMany(stores: readonly AdministeredStore[]): Promise<{ failed: number; wrong: number }> {
  const [first] = stores;
  if (!first) throw new Error('No store');
  const callers = [await makeCaller(first), await makeCaller(first)];
  let failed = 0;
  const each = 60;
  await Promise.all(
    stores.flatMap((store, process) =>
      callers.flatMap((caller) =>
        Array.from({ length: 3 }, async (_, client) => {
          for (let number = 0; number < each / 3; number += 1) {
            const inbox = `inbox-${process}-${client}-${number}`;
            await store
              .settle(submissionOf(caller, { inbox, device: 'shared' }), 30_000)
              .then(admitted, () => {
                failed += 1;
              });
          }
        }),
      ),
    ),
  );
  const counts = await Promise.all(callers.map(({ project }) => first.projects.usage(project.id, MONTH)));
  return { failed, wrong: counts.filter((used) => used !== each * stores.length).length };
}

describe.each(['repeatable read', 'serializable'])('a database whose default isolation is %s', (level) => {
  let database: PostgresTestDatabase;
  beforeAll(async () => {
    database = await server.database();
    const name = new URL(database.url).pathname.slice(1);
    await onDatabase(database.url, `ALTER DATABASE ${name} SET default_transaction_isolation = '${level}'`);
  });
  afterAll(() => database?.remove());

  it('fails no request of several processes and counts exactly', async () => {
    const stores = [await database.open(), await database.open()] as AdministeredStore[];
    expect(await settleMany(stores)).toEqual({ failed: 0, wrong: 0 });
    // The tables of the dashboard, an export and the sweep work too.
    expect(await stores[0]?.projects.list()).toHaveLength(2);
    const rows: unknown[] = [];
    for await (const row of stores[0]?.dump() ?? []) rows.push(row);
    expect(rows.length).toBeGreaterThan(0);
    await stores[0]?.sweep(START, {
      logRetentionMs: 1,
      outcomeRetentionMs: 180 * 86_400_000,
      logMaxRows: 10,
      maxRows: 100,
    });
    for (const store of stores) await store.close();
  });
});

describe.each(['40001', '40P01'])('a database that rolls transactions back with %s', (code) => {
  it('gets them again within the time limit, and counts exactly', async () => {
    const database = await server.database();
    await (await database.open()).close();
    await onDatabase(
      database.url,
      `CREATE FUNCTION fail_sometimes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF random() < 0.3 THEN RAISE EXCEPTION 'conflict' USING ERRCODE = '${code}'; END IF;
         RETURN NULL;
       END $$`,
      'CREATE TRIGGER fail_sometimes AFTER INSERT OR UPDATE ON quota FOR EACH STATEMENT EXECUTE FUNCTION fail_sometimes()',
    );
    const store = await database.open();
    expect(await settleMany([store])).toEqual({ failed: 0, wrong: 0 });
    await store.close();
    await database.remove();
  });
});
