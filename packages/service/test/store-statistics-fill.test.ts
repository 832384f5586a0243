import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDatabaseUrl } from '../src/store/postgres/database-target.ts';
import { migratePostgres } from '../src/store/postgres/migrate-postgres.ts';
import { openPostgresStore } from '../src/store/postgres/postgres-store.ts';
import { postgresSchemas, sqliteSchemas } from '../src/store/schemas.ts';
import { openConnection } from '../src/store/sqlite/connection.ts';
import { migrateSqlite } from '../src/store/sqlite/migrate-sqlite.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../src/store/store.ts';
import { timePrefix } from '../src/store/timed-id.ts';
import { type PostgresServer, sharedPostgresServer } from './support/postgres.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import { HOUR, START } from './support/store-fixtures.ts';

const HALF_HOUR = HOUR / 2;

function logRow(
  at: number,
  number: number,
  recommendation: string,
  marks: string,
  latencyMs: number,
): string {
  const ip = { pass: true, metadata: { country: 'NZ', asn: 64_500, network: 'Example Net' } };
  const facts = {
    requestId: `r-${number} \u0000 \ud800 \\u0000`,
    keyId: 'key-1',
    sdkVersion: "it's 1",
    latencyMs,
    checks: { syntax: { pass: true }, alias: { pass: true, metadata: { provider: 'Gmail' } }, ip },
  };
  return `INSERT INTO validation_log (project_id, id, recommendation, marks, history, facts)
    VALUES ('old', '${timePrefix(at)}0000${number}origin', '${recommendation}', '${marks}', '[0]',
      '${JSON.stringify(facts).replaceAll("'", "''")}')`;
}

/** Rows as the version before statistics wrote them. */
const OLD_ROWS = [
  logRow(
    START,
    1,
    'block',
    ' mode:live domain:a.example inbox:i1 device:d check:alias signal:x check:alias ',
    1,
  ),
  logRow(START + 1, 2, 'allow', ' mode:live domain:a.example inbox:i2 ', 40),
  logRow(
    START + HALF_HOUR,
    3,
    'allow',
    ' mode:live domain:b.example inbox:i3 signal:device_seen_4_times ',
    1,
  ),
  logRow(START, 4, 'block', ' mode:test domain:t.example inbox:i4 check:syntax ', 1),
  `INSERT INTO usage_hour (project_id, hour, kind, count) VALUES ('old', ${START}, 'allow', 2), ('old', ${START}, 'block', 1),
    ('old', ${START}, 'rate-limited', 7), ('old', ${START - 24 * HOUR}, 'flag', 5)`,
  `INSERT INTO outcome (project_id, inbox, accepted_at, verdict, reason, decided_at, seen_at)
    VALUES ('old', 'i1', ${START}, 'bad', NULL, ${START + HALF_HOUR + 5}, ${START}), ('old', 'i2', NULL, 'good', NULL, ${START}, ${START})`,
];

const EXPECTED = {
  [START - 24 * HOUR]: { flag: 5, bare: 5 },
  [START]: {
    ...{ block: 1, allow: 1, 'rate-limited': 7, 'check:alias': 1, 'signal:x': 1 },
    ...{ 'domain:a.example': 2, '!domain:a.example': 1, 'class:free': 2, '!class:free': 1 },
    ...{ 'ran:syntax,alias,ip': 2, 'key:key-1': 2, '!key:key-1': 1, 'country:NZ': 2, '!country:NZ': 1 },
    ...{ 'asn:64500/Example_Net': 2, '!asn:64500/Example_Net': 1, 'ms:16': 1, 'ms:36': 1 },
    ...{ 'outcome:accepted': 1, 'outcome:good': 1 },
  },
  [START + HALF_HOUR]: {
    ...{ allow: 1, 'signal:device_seen_<N>_times': 1, 'domain:b.example': 1, 'class:free': 1, 'ms:16': 1 },
    ...{ 'ran:syntax,alias,ip': 1, 'key:key-1': 1, 'country:NZ': 1, 'asn:64500/Example_Net': 1 },
    'outcome:bad': 1,
  },
};

async function expectFilled(store: Store): Promise<void> {
  const read = async () => {
    const slots: Record<string, unknown> = {};
    for await (const portion of store.statistics.read('old', START - 48 * HOUR, START + 48 * HOUR))
      for (const { at, counts } of portion) slots[at] = Object.fromEntries(counts);
    return slots;
  };
  expect(await read()).toEqual(EXPECTED);
  while ((await store.statistics.merge('old')) > 0);
  expect(await read()).toEqual(EXPECTED);
  await store.close();
}

describe('statistics of a database that had none', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await sharedPostgresServer();
  });
  afterAll(() => server?.remove());

  it('are filled from the log and the older counts on SQLite', async () => {
    const database = await sqliteDatabase();
    const connection = openConnection(database.file, 'write');
    for (const line of sqliteSchemas) if (line.name !== 'statistics') migrateSqlite(connection, line);
    for (const sql of OLD_ROWS) connection.exec(sql);
    connection.close();
    await expectFilled(await openSqliteStore(database));
    await database.remove();
  });

  it('are filled from the log and the older counts on PostgreSQL', async () => {
    const database = await server.database();
    for (const line of postgresSchemas)
      if (line.name !== 'statistics') await migratePostgres(parseDatabaseUrl(database.url), line);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    for (const sql of OLD_ROWS) await client.query(sql);
    await client.end();
    await expectFilled(await openPostgresStore(database));
    await database.remove();
  });
});
