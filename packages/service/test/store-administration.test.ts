import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdministeredStore } from '../src/store/administered-store.ts';
import { ALL_TABLES } from '../src/store/all-tables.ts';
import { exportStore, importStore } from '../src/store/export-store.ts';
import { StoreConflict } from '../src/store/store.ts';
import { memberColumn, type NewMember, REMOVED_WITH_MEMBER } from '../src/store/tables/member-table.ts';
import { type PostgresServer, sharedPostgresServer } from './support/postgres.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import {
  admitted,
  type Caller,
  makeCaller,
  makeKey,
  NOTED,
  START,
  seeDevice,
  submissionOf,
  updateProject,
} from './support/store-fixtures.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await sharedPostgresServer();
});
afterAll(() => server?.remove());

async function lines(store: AdministeredStore): Promise<string[]> {
  const all: string[] = [];
  for await (const line of exportStore(store)) all.push(line);
  return all;
}

async function* each(all: readonly string[]): AsyncGenerator<string> {
  yield* all;
}

/** Some of everything: a small device, a large one, reused inboxes, refusals, several keys. */
async function fill(store: AdministeredStore): Promise<Caller> {
  const caller = await makeCaller(store);
  await makeKey(store, caller.project, { type: 'client', mode: 'test' });
  await updateProject(store, (await makeCaller(store)).project.id, {
    allowList: [{ value: 'ünï.example' }],
  });
  for (let index = 0; index < 40; index += 1) {
    const visit = { inbox: `i${index}`, network: `n${index % 30}`, now: START + index };
    await seeDevice(store, caller, { ...visit, device: 'large' });
    await seeDevice(store, caller, { ...visit, device: `small-${index % 7}` });
  }
  await store.settle(submissionOf(caller, { inbox: 'i1', spelling: 'other' }));
  await store.settle(submissionOf(caller, {}, { rateLimit: 0 }));
  await store.instance.secret('pepper', () => 'salt “and” pepper');
  await store.instance.firstSigningKey({
    kid: 'kid',
    privateKey: '-----BEGIN\n',
    publicKey: { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: 'kid', x: 'x' },
    createdAt: START,
    retiredAt: null,
  });
  await store.audit.append({
    at: START,
    actor: 'cli',
    action: 'x',
    projectId: null,
    detail: { a: [1, null] },
  });
  await store.commit(store.members.creation(owner('u1', 'Ada'), START), []);
  const token = {
    ...{ id: 't1', userId: 'u1', name: 'script', hash: 'h', createdAt: START, expiresAt: null },
    ...{ scope: 'read' as const, onlyProject: caller.project.id },
  };
  await store.commit([store.members.tokenCreation(token)], []);
  return caller;
}

function owner(id: string, name: string): NewMember {
  const email = `${name.toLowerCase()}@example.com`;
  const account = { passwordHash: 'hash' };
  return { id, accountId: `a-${id}`, name, email, verified: false, account, role: 'owner', projects: {} };
}

async function expectSameMemory(store: AdministeredStore, caller: Caller): Promise<void> {
  const later = START + 1_000;
  const large = await seeDevice(store, caller, { device: 'large', inbox: 'new', network: 'n1', now: later });
  expect(large).toMatchObject({ previousSignups: 40, networks: 30, firstSeen: START, lastSeen: START + 39 });
  const small = await seeDevice(store, caller, { device: 'small-3', inbox: 'new', network: 'x', now: later });
  expect(small).toMatchObject({ previousSignups: 6, networks: 7, firstSeen: START + 3 });
  const reused = admitted(
    await store.settle(submissionOf(caller, { inbox: 'i1', spelling: 'third', now: later })),
  );
  expect(reused).toMatchObject({ validated: { history: { inboxReused: true } }, quota: { used: 84 } });
  const brought = await store.memory.sightingsOfInbox(caller.project.id, 'i9', 10);
  expect(brought.map((row) => row.deviceHash).sort()).toEqual(['large', 'small-2']);
  expect(await store.instance.secret('pepper', () => 'none')).toBe('salt “and” pepper');
  expect((await store.members.memberByToken('h', later))?.member).toMatchObject({
    name: 'Ada',
    role: 'owner',
  });
}

describe('export and import', () => {
  it('move data from the embedded store to PostgreSQL and back without loss', async () => {
    const [fileA, fileB, database] = await Promise.all([
      sqliteDatabase(),
      sqliteDatabase(),
      server.database(),
    ]);
    const first = await fileA.open();
    const caller = await fill(first);
    const exported = await lines(first);
    const second = await database.open();
    await second.instance.secret('pepper', () => 'made at the first start');
    const facts = await importStore(second, each(exported));
    expect(facts.rows).toMatchObject({
      project: 2,
      api_key: 3,
      device: 8,
      validation_log: 81,
    });
    const again = await lines(second);
    expect([...again].sort()).toEqual([...exported].sort());
    const third = await fileB.open();
    await importStore(third, each(again));
    expect([...(await lines(third))].sort()).toEqual([...exported].sort());
    await expectSameMemory(second, caller);
    await expectSameMemory(third, caller);
    await Promise.all([first.close(), second.close(), third.close()]);
    await Promise.all([fileA.remove(), fileB.remove(), database.remove()]);
  });

  it('work all or nothing, and only into a store without projects', async () => {
    const [source, target, database] = await Promise.all([
      sqliteDatabase(),
      sqliteDatabase(),
      server.database(),
    ]);
    const from = await source.open();
    await fill(from);
    const exported = await lines(from);
    for (const store of [await target.open(), await database.open()]) {
      await expect(importStore(store, each(exported.slice(0, -1)))).rejects.toThrow(/cut off/);
      await expect(importStore(store, each([...exported.slice(0, 9), 'garbage']))).rejects.toThrow(/Line 10/);
      await expect(importStore(store, each(['{"format":"other"}']))).rejects.toThrow(/not a Postern export/);
      expect(await store.projects.list()).toEqual([]);
      await importStore(store, each(exported));
      await expect(importStore(store, each(exported))).rejects.toThrow(StoreConflict);
      expect(await store.projects.list()).toHaveLength(2);
      await store.close();
    }
    await from.close();
    await Promise.all([source.remove(), target.remove(), database.remove()]);
  });
});

const BACK_ENDS = {
  sqlite: () => sqliteDatabase(),
  postgres: () => server.database(),
} as const;

describe.each(['sqlite', 'postgres'] as const)('an import into a used %s store', (backEnd) => {
  const addSecondFactor = (store: AdministeredStore, userId: string) =>
    store.auth.query(
      `INSERT INTO auth_two_factor (id, secret, "backupCodes", "userId")
       VALUES ('f-${userId}', 'secret', 'codes', '${userId}')`,
      [],
    );
  const secondFactors = async (store: AdministeredStore) =>
    (await store.auth.query('SELECT id FROM auth_two_factor', [])).rows.map(({ id }) => id);

  it('leaves nothing of the members who were there', async () => {
    const [source, target] = await Promise.all([sqliteDatabase(), BACK_ENDS[backEnd]()]);
    const [from, to] = [await source.open(), await target.open()];
    await fill(from);
    await to.commit(to.members.creation(owner('old', 'Old'), START), []);
    await addSecondFactor(to, 'old');
    await to.counters.count('old', 60_000, START);
    await importStore(to, each(await lines(from)));
    expect((await to.members.list()).map(({ id }) => id)).toEqual(['u1']);
    expect(await secondFactors(to)).toEqual([]);
    expect(await to.counters.count('old', 60_000, START)).toMatchObject({ count: 1 });
    await Promise.all([from.close(), to.close()]);
    await Promise.all([source.remove(), target.remove()]);
  });

  it('takes an export of the same instance', async () => {
    const database = await BACK_ENDS[backEnd]();
    const store = await database.open();
    const { project } = await fill(store);
    await addSecondFactor(store, 'u1');
    const exported = await lines(store);
    for (const { id } of await store.projects.list()) {
      await updateProject(store, id, { archivedAt: START });
      await store.deleteProject(id, NOTED);
    }
    await importStore(store, each(exported));
    expect(await secondFactors(store)).toEqual(['f-u1']);
    expect(await store.projects.find(project.id)).toMatchObject({ archivedAt: null });
    await store.close();
    await database.remove();
  });
});

const COLUMNS = {
  sqlite: `SELECT m.name AS "table", p.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) p
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`,
  postgres: `SELECT relname AS "table", attname AS "column" FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0`,
} as const;

it.each(['sqlite', 'postgres'] as const)(
  'every table and column of %s is declared, and nothing else',
  async (backEnd) => {
    const database = await BACK_ENDS[backEnd]();
    const store = await database.open();
    const { rows } = await store.auth.query(COLUMNS[backEnd], []);
    const found = rows.map(({ table, column }) => `${table}.${column}`);
    const declared = ALL_TABLES.flatMap((table) =>
      [...table.columns.keys()].map((column) => `${table.name}.${column}`),
    );
    // The list of migrations belongs to the database.
    expect(found.filter((name) => !name.startsWith('schema_migration.')).sort()).toEqual(declared.sort());
    await store.close();
    await database.remove();
  },
);

it('removing a member reaches every table that names members', () => {
  const naming = ALL_TABLES.filter((table) => memberColumn(table) !== undefined);
  // The member’s own row is removed first, and entries of the review queue expire.
  const removed = [...REMOVED_WITH_MEMBER.map(({ name }) => name), 'review_pass'];
  expect(removed.sort()).toEqual(naming.map(({ name }) => name).sort());
});

describe('the description of a store', () => {
  it('contains the schema, the size and the row counts', async () => {
    const [source, database] = await Promise.all([sqliteDatabase(), server.database()]);
    for (const store of [await source.open(), await database.open()]) {
      await fill(store);
      const facts = await store.describe();
      expect(facts).toMatchObject({ projects: 2, keys: 3, logRows: 81 });
      // The tests’ own server does not sync, see postgres-process.ts.
      expect(facts.warnings.filter((warning) => !warning.startsWith('fsync is off'))).toEqual([]);
      expect(facts.schemaVersion).toBeGreaterThanOrEqual(1);
      expect(facts.sizeBytes).toBeGreaterThan(10_000);
      expect(facts.place).not.toContain('postern:postern');
      await store.close();
    }
    await Promise.all([source.remove(), database.remove()]);
  });
});
