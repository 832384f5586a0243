import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { makeFolder } from '../make-folder.ts';
import type { FeedValidators } from './fetch-feed.ts';

/** What is kept of a source: its entries, and when it named each last. */
export interface ArchivedFeed {
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  /** Entries of the newest good file, without those that are only kept; the lines of a table, which is kept apart. */
  readonly count: number;
  readonly validators: Readonly<Record<string, FeedValidators>>;
  readonly entries: ReadonlyMap<string, number>;
}

/** How the last try went, good or not. */
export interface FeedStatus {
  readonly name: string;
  readonly triedAt: number | null;
  readonly fetchedAt: number | null;
  readonly entries: number;
  readonly error: string | null;
}

export interface FeedArchive {
  readonly folder: string;
  read(name: string): Promise<ArchivedFeed | undefined>;
  write(name: string, feed: ArchivedFeed): Promise<void>;
  /** A table of half a million lines, which would take ten times its size as entries. */
  readTable(name: string): Promise<string | undefined>;
  writeTable(name: string, lines: readonly string[]): Promise<void>;
  status(): Promise<Readonly<Record<string, FeedStatus>>>;
  writeStatus(status: FeedStatus): Promise<void>;
  /** When a list was last compiled, milliseconds since 1970. */
  compiledAt(list: 'domains' | 'networks'): Promise<number | undefined>;
  /** Replaces a file of the folder in one step: readers see the old one or the new one. */
  replace(name: string, bytes: Uint8Array): Promise<void>;
  /** Runs `work` unless another process is at it. */
  exclusively<T>(work: () => Promise<T>): Promise<T | 'busy'>;
}

const LOCK = 'refresh.lock';
const LOCK_STALE_MS = 15 * 60 * 1000;
const inflate = promisify(gunzip);
const deflate = promisify(gzip);

/** The folder in which refreshed data is kept, shared by all processes of one machine. */
export function openFeedArchive(folder: string, now: () => number): FeedArchive {
  const path = (name: string) => join(folder, name);

  async function readJson<T>(name: string): Promise<T | undefined> {
    try {
      const bytes = await readFile(path(name));
      return JSON.parse((name.endsWith('.gz') ? await inflate(bytes) : bytes).toString()) as T;
    } catch {
      // Missing or damaged: the next refresh writes it anew, and until then the last compiled data stays.
      return undefined;
    }
  }

  async function replace(name: string, bytes: Uint8Array): Promise<void> {
    makeFolder(folder);
    const draft = path(`${name}.${randomUUID()}.draft`);
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path(name));
  }

  return {
    folder,
    replace,
    read: async (name) => {
      const kept = await readJson<Omit<ArchivedFeed, 'entries'> & { entries: [string, number][] }>(
        `${name}.json.gz`,
      );
      return kept === undefined ? undefined : { ...kept, entries: new Map(kept.entries) };
    },
    write: async (name, feed) => {
      await replace(
        `${name}.json.gz`,
        await deflate(JSON.stringify({ ...feed, entries: [...feed.entries] })),
      );
    },
    readTable: async (name) => {
      try {
        return (await inflate(await readFile(path(`${name}.csv.gz`)))).toString();
      } catch {
        return undefined;
      }
    },
    writeTable: async (name, lines) => {
      await replace(`${name}.csv.gz`, await deflate(lines.join('\n')));
    },
    status: async () => (await readJson<Record<string, FeedStatus>>('status.json')) ?? {},
    writeStatus: async (status) => {
      const all = (await readJson<Record<string, FeedStatus>>('status.json')) ?? {};
      await replace('status.json', Buffer.from(JSON.stringify({ ...all, [status.name]: status }, null, 1)));
    },
    compiledAt: async (list) => (await stat(path(`${list}.bin`)).catch(() => undefined))?.mtimeMs,
    exclusively: async (work) => {
      makeFolder(folder);
      const lock = path(LOCK);
      const held = await stat(lock).catch(() => undefined);
      if (held !== undefined && now() - held.mtimeMs > LOCK_STALE_MS) await rm(lock, { force: true });
      const file = await open(lock, 'wx').catch(() => undefined);
      if (file === undefined) return 'busy';
      try {
        return await work();
      } finally {
        await file.close();
        await rm(lock, { force: true });
      }
    },
  };
}
