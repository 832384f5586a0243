import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SETTLE_PLANS } from '../src/store/postgres/connections.ts';
import { loadRows } from '../src/store/postgres/project-rows.ts';
import { callOtherOperations } from './support/other-operations.ts';
import { type PostgresServer, sharedPostgresServer } from './support/postgres.ts';
import { notePostgresStatements, postgresFaults } from './support/postgres-plans.ts';
import { storeContract } from './support/store-contract.ts';

const noted = notePostgresStatements();
let server: PostgresServer;
beforeAll(async () => {
  server = await sharedPostgresServer();
});
afterAll(async () => {
  noted.remove();
  await server?.remove();
});

storeContract('PostgreSQL', () => server.database());

it('PostgreSQL uses an index of growing tables, in every statement of the tests above', async () => {
  await callOtherOperations(() => server.database());
  const statements = noted.statements();
  // Fewer were not all noted.
  expect(statements.length).toBeGreaterThan(300);
  const database = await server.database();
  try {
    await (await database.open()).close();
    expect(await postgresFaults(database.url, statements)).toEqual([]);
  } finally {
    await database.remove();
  }
});

// A new service makes its plans while the tables are empty, and keeps them.
it('PostgreSQL finds the rows of a batch by their keys, although it planned that with empty tables', async () => {
  const database = await server.database();
  await (await database.open()).close();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(`BEGIN${SETTLE_PLANS}`);
    const wanted = {
      ...{
        now: 0,
        keys: ['k'],
        months: ['m'],
        inboxes: ['i'],
        devices: ['d'],
        things: ['t'],
        idempotencyKeys: ['a'],
      },
      lanes: [{ lane: 'server', limit: 1 }],
    };
    const { sql, values } = loadRows('p', wanted);
    await client.query(`PREPARE load_rows AS ${sql}`);
    const given = values.map((value) => (typeof value === 'number' ? value : `'${String(value)}'`));
    const { rows } = await client.query(`EXPLAIN EXECUTE load_rows (${given.join(', ')})`);
    const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
    for (const [table, key] of [
      ['inbox', 'inbox'],
      ['device', 'device'],
      ['crowd', 'thing'],
      ['idempotent_answer', 'key_hash'],
      ['rate_bucket', 'lane'],
    ])
      expect(plan).toMatch(
        new RegExp(`using ${table}_pkey on ${table}.*\\n *Index Cond: .*project_id.*${key} `),
      );
    expect(plan).not.toMatch(/Sort|Seq Scan on (?!json)/);
  } finally {
    await client.end();
    await database.remove();
  }
});
