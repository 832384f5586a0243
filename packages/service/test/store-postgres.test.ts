import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
it.each([
  ['inbox', ['inbox'], 'spelling, last_seen, claimed_from, other_spelling, other_seen, other_claimed_from'],
  ['device', ['device'], 'inboxes, blocked, networks, first_seen, last_seen, network_times'],
  ['device_sighting', ['device', 'inbox'], 'inbox, blocked'],
])('PostgreSQL finds a row of an empty table %s by its key', async (table, key, columns) => {
  const database = await server.database();
  await (await database.open()).close();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off');
    await client.query(`PREPARE look_up (TEXT, TEXT) AS
      SELECT r.key, t.* FROM unnest(ARRAY[$2]) AS r (key)
      LEFT JOIN LATERAL (SELECT ${columns} FROM ${table}
        WHERE project_id = $1 AND ${key.map((column) => `${column} = r.key`).join(' AND ')} LIMIT 1) t ON TRUE`);
    const { rows } = await client.query("EXPLAIN EXECUTE look_up ('p', 'k')");
    const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain(`Index Scan using ${table}_pkey`);
    expect(plan).toMatch(new RegExp(`Index Cond: .*project_id.*${key.join('.*')}`));
  } finally {
    await client.end();
    await database.remove();
  }
});
