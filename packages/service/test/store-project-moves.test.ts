import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AdministeredStore, type DumpPart, projectDeletion } from '../src/store/administered-store.ts';
import { ALL_TABLES, isOfProject } from '../src/store/all-tables.ts';
import { exportStore, importStore } from '../src/store/export-store.ts';
import { numbered } from '../src/store/postgres/connections.ts';
import { type PostgresServer, sharedPostgresServer } from './support/postgres.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import {
  type Caller,
  DAY,
  HOUR,
  makeCaller,
  NOTED,
  START,
  seeDevice,
  updateProject,
} from './support/store-fixtures.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await sharedPostgresServer();
});
afterAll(() => server?.remove());

type Kind = 'sqlite' | 'postgres';

/** Two cells that share their secrets, as docs/scaling.md sets them up. */
async function twoCells(kinds: readonly [Kind, Kind]) {
  const opened = await Promise.all(
    kinds.map(async (kind) => {
      const database = kind === 'sqlite' ? await sqliteDatabase() : await server.database();
      return { store: await database.open(), database };
    }),
  );
  const [from, to] = opened.map(({ store }) => store) as [AdministeredStore, AdministeredStore];
  await from.instance.secret('keyed-hash', () => 'the key of all cells');
  await importStore(to, exportStore(from, 'instance'));
  const remove = async () => {
    for (const { store, database } of opened) {
      await store.close();
      await database.remove();
    }
  };
  return { from, to, remove };
}

async function visit(store: AdministeredStore, caller: Caller): Promise<void> {
  for (let index = 0; index < 30; index += 1) {
    const seen = { inbox: `i${index}`, network: `n${index % 3}`, now: START + index };
    await seeDevice(store, caller, { ...seen, device: 'large' });
    await seeDevice(store, caller, { ...seen, device: `small-${index % 7}` });
  }
}

async function lines(store: AdministeredStore, part?: DumpPart): Promise<string[]> {
  const all: string[] = [];
  for await (const line of exportStore(store, part)) all.push(line);
  return all.sort();
}

const ofProject = (all: readonly string[], id: string) => all.filter((line) => line.includes(`"${id}"`));

describe.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)('a project that moves from %s to %s', (...kinds) => {
  it('takes everything with it and leaves the other projects of both cells alone', async () => {
    const { from, to, remove } = await twoCells(kinds);
    const [moving, staying, resident] = [
      await makeCaller(from),
      await makeCaller(from),
      await makeCaller(to),
    ];
    await visit(from, moving);
    await visit(from, staying);
    await visit(to, resident);
    const { id } = moving.project;
    const before = ofProject(await lines(from), staying.project.id);
    const exported = await lines(from, { project: id });
    const residentBefore = ofProject(await lines(to), resident.project.id);
    const residentInbox = await to.memory.sightingsOfInbox(resident.project.id, 'i9', 10);

    const facts = await importStore(to, exportStore(from, { project: id }));
    expect(facts).toMatchObject({
      project: id,
      rows: { project: 1, api_key: 1, validation_log: 60, secret: 0 },
    });
    expect(await lines(to, { project: id })).toEqual(exported);
    expect(ofProject(await lines(to), resident.project.id)).toEqual(residentBefore);
    expect(await to.memory.sightingsOfInbox(resident.project.id, 'i9', 10)).toEqual(residentInbox);
    await expect(importStore(to, exportStore(from, { project: id }))).rejects.toThrow(/already a project/);

    const whole = ofProject(await lines(from), id);
    expect(await from.deleteProject(id, NOTED)).toBe(false);
    expect(ofProject(await lines(from), id)).toEqual(whole);
    await updateProject(from, id, { archivedAt: START });
    expect(await from.deleteProject(id, NOTED)).toBe(true);
    expect(ofProject(await lines(from), id)).toEqual([]);
    expect(ofProject(await lines(from), staying.project.id)).toEqual(before);

    // Counting goes on where it was.
    const seen = await seeDevice(to, moving, { device: 'large', inbox: 'new', now: START + 1_000 });
    expect(seen).toMatchObject({ previousSignups: 30, firstSeen: START });
    expect(await to.projects.usage(id, '2026-11')).toBe(61);
    await remove();
  });
});

it('deleting a project reaches every table that has a project', async () => {
  const database = await server.database();
  await (await database.open()).close();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname IN ('project_id', 'only_project')`,
  );
  await client.end();
  await database.remove();
  const emptied = projectDeletion('any', NOTED).flatMap(
    ({ sql }) => /DELETE FROM (\w+)/.exec(sql)?.[1] ?? [],
  );
  // The audit log is never deleted.
  expect([...emptied, 'audit'].sort()).toEqual([...rows.map(({ name }) => name), 'project'].sort());
});

/** What the sweep has to do when a member deletes the project. */
const SWEPT_MEANWHILE = [
  ['history', 100 * DAY, { logRetentionMs: 400 * DAY }, 0],
  ['log', 100 * DAY, { logRetentionMs: 30 * DAY }, 100 * DAY],
  ['statistics', HOUR / 2, { logRetentionMs: 400 * DAY }, 0],
] as const;

it.each(SWEPT_MEANWHILE)(
  'a deleted project leaves nothing although its %s is swept at the same time',
  async (_what, afterMs, retention, sweptBeforeMs) => {
    const database = await server.database();
    const store = await database.open();
    const caller = await makeCaller(store);
    const { id } = caller.project;
    await visit(store, caller);
    const limits = {
      maxRows: 500,
      logMaxRows: 1_000,
      logRetentionMs: 400 * DAY,
      outcomeRetentionMs: 400 * DAY,
    };
    if (sweptBeforeMs > 0) while ((await store.sweep(START + sweptBeforeMs, limits)) > 0);
    await updateProject(store, id, { archivedAt: START });
    const [client, watcher] = [1, 2].map(() => new pg.Client({ connectionString: database.url })) as [
      pg.Client,
      pg.Client,
    ];
    await Promise.all([client.connect(), watcher.connect()]);
    await client.query('BEGIN');
    await client.query('SELECT FROM project WHERE id = $1 FOR UPDATE', [id]);
    for (const { sql, values } of projectDeletion(id, NOTED)) await client.query(numbered(sql), [...values]);
    const sweeping = (async () => {
      while ((await store.sweep(START + afterMs, { ...limits, ...retention })) > 0);
    })();
    await vi.waitFor(async () => expect((await watcher.query(WAITING)).rows).toHaveLength(1), WAIT);
    await client.query('COMMIT');
    await sweeping;

    for (const table of ALL_TABLES) {
      if (!isOfProject(table) || table.name === 'project') continue;
      const { rows } = await watcher.query(`SELECT * FROM ${table.name} WHERE project_id = $1`, [id]);
      expect(rows, table.name).toEqual([]);
    }
    await Promise.all([client.end(), watcher.end()]);
    await store.close();
    await database.remove();
  },
);

const WAIT = { timeout: 120_000, interval: 20 };
const WAITING = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

it('a project is not imported into a store that hashes with another key', async () => {
  const { from, to, remove } = await twoCells(['sqlite', 'sqlite']);
  const stranger = await sqliteDatabase();
  const other = await stranger.open();
  const { project } = await makeCaller(from);
  const move = importStore(other, exportStore(from, { project: project.id }));
  await expect(move).rejects.toThrow(/another key/);
  expect(await other.projects.list()).toEqual([]);
  await importStore(to, exportStore(from, { project: project.id }));
  await expect(lines(from, { project: 'missing' })).rejects.toThrow(/no project/);
  await other.close();
  await stranger.remove();
  await remove();
});
