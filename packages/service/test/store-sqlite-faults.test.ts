import { chmod, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupSqlite, restoreSqlite } from '../src/store/sqlite/backup-sqlite.ts';
import { openConnection } from '../src/store/sqlite/connection.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { StoreUnavailable } from '../src/store/store.ts';
import { PATIENCE } from './support/patient-store.ts';
import { type SqliteTestDatabase, sqliteDatabase } from './support/sqlite-database.ts';
import {
  admitted,
  makeCaller,
  START,
  seeDevice,
  submissionOf,
  updateProject,
} from './support/store-fixtures.ts';

let database: SqliteTestDatabase;
beforeEach(async () => {
  database = await sqliteDatabase();
});
afterEach(() => database.remove());

describe('a database file with problems', () => {
  it('that is not a database is reported and not changed', async () => {
    const content = 'this is a letter to my aunt\n'.repeat(1_000);
    await writeFile(database.file, content);
    await expect(openSqliteStore(database)).rejects.toThrow(
      /postern\.db: the file is damaged or is not a Postern database/,
    );
    expect(await readFile(database.file, 'utf8')).toBe(content);
  });

  it('with damaged pages is reported, and calls fail with StoreUnavailable', async () => {
    const store = await database.open();
    const caller = await makeCaller(store);
    await store.settle(submissionOf(caller));
    await store.close();
    const { size } = await stat(database.file);
    const handle = await open(database.file, 'r+');
    await handle.write(Buffer.alloc(size - 4_096, 0x5a), 0, size - 4_096, 4_096);
    await handle.close();
    const examined = await openSqliteStore(database)
      .then(
        (opened) => opened.verify().finally(() => opened.close()),
        (reason: unknown) => Promise.reject(reason),
      )
      .catch((reason: unknown) => reason);
    expect(examined).toBeInstanceOf(StoreUnavailable);
    const outcome = await openSqliteStore(database).then(
      async (damaged) => {
        const error = await damaged.settle(submissionOf(caller)).catch((reason: unknown) => reason);
        await damaged.close();
        return error;
      },
      (reason: unknown) => reason,
    );
    expect(outcome).toBeInstanceOf(StoreUnavailable);
    expect(String(outcome)).toContain('restore a backup');
  });

  it('cannot be created if the folder is a file', async () => {
    await writeFile(database.file, '');
    await expect(openSqliteStore({ file: join(database.file, 'postern.db') })).rejects.toThrow(
      /cannot create the database; check the folder/,
    );
  });

  it('that another process has locked is unavailable within two seconds, and then works again', async () => {
    const store = await openSqliteStore(database);
    const caller = await makeCaller(store);
    const holder = new Libsql(database.file);
    holder.exec('BEGIN IMMEDIATE');
    await expect(store.settle(submissionOf(caller))).rejects.toThrow(StoreUnavailable);
    expect((await store.findKey(caller.key.hash, PATIENCE.limitMs))?.key.id).toBe(caller.key.id);
    holder.exec('ROLLBACK');
    holder.close();
    const again = await store.settle(submissionOf(caller), PATIENCE.limitMs);
    expect(admitted(again).quota.used).toBe(1);
    await store.close();
  });

  it('counts, logs and remembers alike what was refused while another process had it locked', async () => {
    const store = await openSqliteStore(database);
    const caller = await makeCaller(store);
    const holder = new Libsql(database.file);
    holder.exec('BEGIN IMMEDIATE');
    const ask = (index: number, timeoutMs: number) =>
      store.settle(submissionOf(caller, { inbox: `i${index}`, device: `d${index}` }), timeoutMs);
    // Some reach their deadline while the thread waits for the lock, some while they wait for the thread.
    const first = ask(0, 300);
    await new Promise((resolve) => setImmediate(resolve));
    const refused = [first, ...Array.from({ length: 19 }, (_, index) => ask(index + 1, 300))];
    const patient = [ask(20, 60_000)];
    expect((await Promise.allSettled(refused)).map(({ status }) => status)).toEqual(
      Array(20).fill('rejected'),
    );
    holder.exec('ROLLBACK');
    holder.close();
    await Promise.allSettled(patient);
    // A caller that got no answer may have been counted. Then everything of the request is there.
    const last = await store.settle(submissionOf(caller, {}, { rateLimit: 100 }), PATIENCE.limitMs);
    const { rate, quota } = admitted(last);
    expect(rate.remaining).toBe(100 - quota.used);
    expect((await store.log.page(caller.project.id, {}, 50, null)).rows).toHaveLength(quota.used);
    await store.close();
  });

  it('counts what a command settles together with the rest', async () => {
    const command = await openSqliteStore({ ...database, patience: PATIENCE });
    const caller = await makeCaller(command);
    const store = await database.open();
    for (const [index, one] of [store, command, store, command].entries())
      expect(admitted(await one.settle(submissionOf(caller))).quota.used).toBe(index + 1);
    await Promise.all([command.close(), store.close()]);
    await expect(command.settle(submissionOf(caller))).rejects.toThrow(StoreUnavailable);
  });

  it('can be read only by its owner', async () => {
    const store = await database.open();
    expect((await stat(database.file)).mode & 0o077).toBe(0);
    await chmod(database.file, 0o644);
    expect((await store.describe()).warnings).toEqual([expect.stringContaining('chmod 600')]);
    await store.close();
  });

  it('that was removed while in use is refused, and not created again', async () => {
    const store = await database.open();
    const caller = await makeCaller(store);
    await store.settle(submissionOf(caller));
    const elsewhere = `${database.file}.moved`;
    await rename(database.file, elsewhere);
    await expect(store.settle(submissionOf(caller))).rejects.toThrow(/moved, removed or replaced/);
    await expect(store.ping()).rejects.toThrow(StoreUnavailable);
    await expect(store.log.page(caller.project.id, {}, 1, null)).rejects.toThrow(/database file is missing/);
    await expect(stat(database.file)).rejects.toThrow(/ENOENT/);
    await rename(elsewhere, database.file);
    await store.ping();
    await store.close();
  });

  it('whose write-ahead log was removed while in use is refused', async () => {
    const store = await database.open();
    const caller = await makeCaller(store);
    const log = `${database.file}-wal`;
    await rename(log, `${log}.moved`);
    await expect(store.settle(submissionOf(caller))).rejects.toThrow(/moved, removed or replaced/);
    await rename(`${log}.moved`, log);
    await store.ping();
    await store.close();
  });

  it('shrinks its write-ahead log after a long read', async () => {
    const store = await database.open();
    await makeCaller(store);
    const { size } = await stat(`${database.file}-wal`);
    const busy = openConnection(database.file, 'write');
    busy.exec('CREATE TABLE large (content BLOB)');
    const reader = new Libsql(database.file);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM project').all();
    for (let mib = 0; mib < 80; mib += 8) busy.exec('INSERT INTO large VALUES (zeroblob(8 * 1024 * 1024))');
    const grown = (await stat(`${database.file}-wal`)).size;
    expect(grown).toBeGreaterThan(size + 80 * 1024 * 1024);
    reader.exec('COMMIT');
    reader.close();
    // The first commit finds the log copied back and starts it again.
    busy.exec('INSERT INTO large VALUES (1)');
    busy.exec('INSERT INTO large VALUES (2)');
    expect((await stat(`${database.file}-wal`)).size).toBeLessThanOrEqual(64 * 1024 * 1024);
    busy.close();
    await store.close();
  });

  it('of a newer version is not changed', async () => {
    const store = await database.open();
    await store.close();
    const connection = new Libsql(database.file);
    connection.exec("INSERT INTO schema_migration (number, name, checksum) VALUES (999, 'future', 'x')");
    connection.close();
    await expect(openSqliteStore(database)).rejects.toThrow(/newer version of Postern/);
  });
});

describe('a value that cannot be stored', () => {
  it('is refused, and the service keeps running', async () => {
    const store = await database.open();
    const { project } = await makeCaller(store);
    const wrong = true as unknown as number;
    await expect(updateProject(store, project.id, { rateClient: wrong })).rejects.toThrow(/type boolean/);
    expect(await store.projects.find(project.id)).toEqual(project);
    await store.close();
  });
});

describe('backup and restore', () => {
  it('work while the service runs, which continues with the restored data', async () => {
    const store = await database.open();
    const caller = await makeCaller(store);
    await seeDevice(store, caller, { device: 'd', inbox: 'a' });
    const backup = join(dirname(database.file), 'backup.db');
    const load = Array.from({ length: 50 }, (_, index) =>
      store.settle(submissionOf(caller, { device: 'd', inbox: `during-${index}` })),
    );
    const facts = await backupSqlite(database.file, backup);
    await Promise.all(load);
    expect(facts.sizeBytes).toBe((await stat(backup)).size);
    await expect(backupSqlite(database.file, backup)).rejects.toThrow(/already/);

    const changed = await updateProject(store, caller.project.id, { name: 'After the backup' });
    const late = await makeCaller(store);
    expect(await restoreSqlite(backup, database.file)).toEqual({ setAside: undefined, needsRestart: false });
    expect(await store.settle(submissionOf({ ...caller, project: changed }))).toEqual({ result: 'stale' });
    expect(await store.settle(submissionOf(caller))).toEqual({ result: 'stale' });
    expect(await store.findKey(late.key.hash)).toBeUndefined();
    const found = await store.findKey(caller.key.hash);
    if (!found) throw new Error('The key is gone');
    expect(found.project.name).toBe('A project');
    const history = await seeDevice(store, found, { device: 'd', inbox: 'z', now: START + 1 });
    const used = await store.projects.usage(caller.project.id, '2026-11');
    expect(history.previousSignups).toBe(used - 1);
    await store.close();
    expect((await readdir(dirname(database.file))).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  it('create a database if there is none', async () => {
    const store = await database.open();
    const caller = await makeCaller(store);
    await store.settle(submissionOf(caller));
    const backup = join(dirname(database.file), 'backup.db');
    await writeFile(`${backup}.unfinished-${process.pid}`, 'half a backup');
    await backupSqlite(database.file, backup);
    await store.close();
    const elsewhere = join(dirname(database.file), 'elsewhere.db');
    // Left behind by a killed process with the same ID.
    await writeFile(`${elsewhere}.restoring-${process.pid}-wal`, 'half a log');
    await restoreSqlite(backup, elsewhere);
    const restored = await openSqliteStore({ file: elsewhere });
    expect(await restored.projects.usage(caller.project.id, '2026-11')).toBe(1);
    await restored.close();
  });

  it('create missing folders, and files that only their owner can read', async () => {
    await (await database.open()).close();
    const backup = join(dirname(database.file), 'backup.db');
    await backupSqlite(database.file, backup);
    expect((await stat(backup)).mode & 0o077).toBe(0);
    await chmod(backup, 0o644);
    const elsewhere = join(dirname(database.file), 'new', 'folder', 'postern.db');
    await restoreSqlite(backup, elsewhere);
    expect((await stat(elsewhere)).mode & 0o077).toBe(0);
  });

  it.each([
    ['whose first page is damaged', 0],
    ['with a damaged page in the middle', 3 * 4_096],
  ])('move a database %s aside, together with its write-ahead log', async (_what, place) => {
    const store = await database.open();
    const caller = await makeCaller(store);
    await store.settle(submissionOf(caller));
    const backup = join(dirname(database.file), 'backup.db');
    await backupSqlite(database.file, backup);
    await store.close();
    const emptying = new Libsql(database.file);
    emptying.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    emptying.close();
    const handle = await open(database.file, 'r+');
    await handle.write(Buffer.alloc(12_288, 0x5a), 0, 12_288, place);
    await handle.close();
    const damaged = await readFile(database.file);

    const { setAside } = await restoreSqlite(backup, database.file);
    if (setAside === undefined) throw new Error('Nothing was set aside');
    expect(await readFile(setAside)).toEqual(damaged);
    const restored = await database.open();
    await restored.verify();
    expect(await restored.projects.usage(caller.project.id, '2026-11')).toBe(1);
    await restored.close();
  });

  it('do not apply the write-ahead log of another database', async () => {
    const store = await database.open();
    const caller = await makeCaller(store);
    const backup = join(dirname(database.file), 'backup.db');
    await backupSqlite(database.file, backup);
    await store.settle(submissionOf(caller));
    const log = await readFile(`${database.file}-wal`);
    await store.close();
    await rm(database.file);
    await writeFile(`${database.file}-wal`, log);
    await restoreSqlite(backup, database.file);
    const restored = await database.open();
    await restored.verify();
    expect(await restored.projects.usage(caller.project.id, '2026-11')).toBe(0);
    await restored.close();
  });

  it('say that a running service must be restarted if the backup has other secrets', async () => {
    const other = await sqliteDatabase();
    for (const [{ open }, value] of [[other, 'theirs'] as const, [database, 'ours'] as const]) {
      const store = await open();
      await store.instance.secret('keyed-hash', () => value);
      await store.close();
    }
    const backup = join(dirname(database.file), 'theirs.db');
    await backupSqlite(other.file, backup);
    expect(await restoreSqlite(backup, database.file)).toMatchObject({ needsRestart: true });
    expect(await restoreSqlite(backup, database.file)).toMatchObject({ needsRestart: false });
    await other.remove();
  });

  it('refuse a file that is not a backup, and do not change the database', async () => {
    const store = await database.open();
    const caller = await makeCaller(store);
    const letter = join(dirname(database.file), 'letter.txt');
    await writeFile(letter, 'dear aunt '.repeat(500));
    await expect(restoreSqlite(letter, database.file)).rejects.toThrow(
      /letter\.txt: the file is damaged or is no/,
    );
    const foreign = join(dirname(database.file), 'foreign.db');
    const other = new Libsql(foreign);
    other.exec('CREATE TABLE t (a)');
    other.close();
    await expect(restoreSqlite(foreign, database.file)).rejects.toThrow(/not a backup of Postern/);
    await expect(restoreSqlite('/nonexistent.db', database.file)).rejects.toThrow(/no such file/);
    expect(await store.projects.find(caller.project.id)).toEqual(caller.project);
    await store.close();
  });
});
