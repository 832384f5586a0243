import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@postern/contract';
import { makeFolder } from '../make-folder.ts';
import { backupSqlite } from '../store/sqlite/backup-sqlite.ts';
import { type Connection, inTransaction, isDamage } from '../store/sqlite/connection.ts';
import {
  mendFeedDatabase,
  openFeedDatabase,
  removeFeedDatabase,
  takeFeedLock,
  withFeedDatabase,
} from './feed-database.ts';
import type { FeedValidators } from './fetch-feed.ts';
import type { FeedSizes } from './guard-size.ts';

export type FeedList = 'domains' | 'networks';
export const FEED_LISTS: readonly FeedList[] = ['domains', 'networks'];

/** What is known about a source. Times are milliseconds since 1970. */
export interface SourceStatus {
  readonly triedAt: number | null;
  /** Identifies the last accepted content by its fetch time. `ListStatus` says whether it is in use. */
  readonly contentAt: number | null;
  /** When the source last confirmed that this content is its newest. */
  readonly confirmedAt: number | null;
  readonly entries: number;
  /** Why the last attempt failed. `null` if it succeeded. */
  readonly error: string | null;
  /** The number of failed attempts in a row, and when the first one was. */
  readonly failures: number;
  readonly failingSince: number | null;
  /** The server says that the file no longer exists. */
  readonly gone: boolean;
  /** By URL. */
  readonly validators: Readonly<Record<string, FeedValidators>>;
  /** `null` until a content was accepted. */
  readonly sizes: FeedSizes | null;
}

export interface Failure {
  readonly since: number;
  readonly at: number;
  readonly message: string;
  /** How often in a row. */
  readonly times: number;
}

/** Which content of each source, by `contentAt`. */
export type Contents = Readonly<Record<string, number>>;

/** What the compiled file of a list holds, and how the last compilation went. */
export interface ListStatus {
  readonly compiledAt: number | null;
  readonly contents: Contents;
  readonly durationMs: number | null;
  readonly peakMemoryBytes: number | null;
  readonly failure: (Failure & { readonly contents: Contents }) | null;
}

export interface FeedStatus {
  readonly sources: Readonly<Record<string, SourceStatus>>;
  readonly lists: Readonly<Record<FeedList, ListStatus>>;
  /** Why the last refresh ended early, other than while compiling. */
  readonly run: Failure | null;
  /** When everything was last copied. */
  readonly copiedAt: number;
}

/** `lastSeen` equals the source’s `contentAt` for entries of the newest file. */
export type SeenEntry = readonly [entry: string, firstSeen: number, lastSeen: number];

export interface FeedArchive {
  readonly folder: string;
  /** The database, to be exported. */
  readonly file: string;
  status(): FeedStatus;
  source(name: string): SourceStatus;
  noteSource(name: string, change: Partial<SourceStatus>): void;
  /** The entries of a source in the order of its files. For a table of networks, its lines. */
  entries(name: string): Iterable<SeenEntry>;
  /** Replaces the entries of a source. */
  write(name: string, change: Partial<SourceStatus>, entries: Iterable<SeenEntry>): void;
  noteCompiled(list: FeedList, compiled: Omit<ListStatus, 'failure'>): void;
  noteCompileFailure(list: FeedList, message: string, contents: Contents | undefined): void;
  /** `null` if the last refresh finished. */
  noteRun(message: string | null): void;
  /** When a list was last compiled, milliseconds since 1970. */
  compiledAt(list: FeedList): number | undefined;
  /** Replaces a compiled list atomically: readers see the old one or the new one. */
  replaceCompiled(list: FeedList, bytes: Uint8Array): void;
  /** A temporary file of the refresh that is running. */
  draft(name: string): string;
  /** Runs `work` unless another process is refreshing. */
  exclusively<T>(work: () => Promise<T>): Promise<T | 'busy'>;
}

const UNKNOWN: SourceStatus = {
  triedAt: null,
  contentAt: null,
  confirmedAt: null,
  entries: 0,
  error: null,
  failures: 0,
  failingSince: null,
  gone: false,
  validators: {},
  sizes: null,
};
const NEVER_COMPILED: ListStatus = {
  compiledAt: null,
  contents: {},
  durationMs: null,
  peakMemoryBytes: null,
  failure: null,
};
const NOTHING: FeedStatus = {
  sources: {},
  lists: { domains: NEVER_COMPILED, networks: NEVER_COMPILED },
  run: null,
  copiedAt: 0,
};

/**
 * The folder in which refreshed data is kept, shared by all processes of one machine: the database with everything that
 * was accepted, and the compiled lists.
 */
export function openFeedArchive(
  folder: string,
  now: () => number,
  /** Called if the database was damaged. The message says what happens next. */
  onDamage: (message: string) => void = () => {},
): FeedArchive {
  const file = join(folder, 'feeds.db');
  const drafts = join(folder, 'drafts');
  const compiled = (list: FeedList) => join(folder, `${list}.bin`);
  const change = (work: (database: Connection) => void): void => {
    makeFolder(folder);
    withFeedDatabase(file, (database) => inTransaction(database, () => work(database)));
  };

  const status = (): FeedStatus => {
    if (!existsSync(file)) return NOTHING;
    try {
      return withFeedDatabase(file, readStatus);
    } catch (error) {
      // The next refresh mends it.
      if (isDamage(error)) return NOTHING;
      throw error;
    }
  };
  const source = (name: string) => status().sources[name] ?? UNKNOWN;

  return {
    folder,
    file,
    status,
    source,
    noteSource: (name, facts) => change((database) => writeSource(database, name, facts)),
    entries: (name) => readEntries(file, name),
    write: (name, facts, entries) =>
      change((database) => writeEntries(database, writeSource(database, name, facts), entries)),
    noteCompiled: (list, facts) =>
      change((database) => writeState(database, list, { ...facts, failure: null })),
    noteCompileFailure: (list, message, contents) =>
      change((database) => {
        const last = readStatus(database).lists[list];
        const failure = {
          ...nextFailure(last.failure, message, now()),
          contents: contents ?? last.failure?.contents ?? {},
        };
        writeState(database, list, { ...last, failure });
      }),
    noteRun: (message) =>
      change((database) => {
        const run = message === null ? null : nextFailure(readStatus(database).run, message, now());
        writeState(database, 'run', run);
      }),
    compiledAt: (list) => statSync(compiled(list), { throwIfNoEntry: false })?.mtimeMs,
    replaceCompiled: (list, bytes) => replaceFile(compiled(list), `${compiled(list)}.new`, bytes),
    draft: (name) => join(drafts, name),
    exclusively: async (work) => {
      makeFolder(folder);
      const release = takeFeedLock(join(folder, 'refresh.lock'));
      if (release === undefined) return 'busy';
      const copy = join(folder, 'feeds.copy.db');
      try {
        // A refresh that was killed left its drafts.
        rmSync(drafts, { recursive: true, force: true });
        mkdirSync(drafts, { mode: 0o700 });
        const damage = mendFeedDatabase(file, copy);
        if (damage !== undefined) onDamage(damage);
        const result = await work();
        await copyDaily(file, copy, now());
        return result;
      } finally {
        rmSync(drafts, { recursive: true, force: true });
        release();
      }
    },
  };
}

function readStatus(database: Connection): FeedStatus {
  const rows = (query: string) =>
    (database.prepare(query).raw(true).all() as [string, string][]).map(
      ([name, value]) => [name, JSON.parse(value)] as const,
    );
  const { run, copiedAt, ...lists } = Object.fromEntries(rows('SELECT name, value FROM state'));
  const sources = Object.fromEntries(rows('SELECT name, facts FROM source'));
  return { sources, lists: { ...NOTHING.lists, ...lists }, run: run ?? null, copiedAt: copiedAt ?? 0 };
}

function writeState(database: Connection, name: FeedList | 'run' | 'copiedAt', value: unknown): void {
  database.prepare('INSERT OR REPLACE INTO state VALUES (?, ?)').run([name, JSON.stringify(value)]);
}

/** Returns the source’s ID. */
function writeSource(database: Connection, name: string, change: Partial<SourceStatus>): number {
  const facts: SourceStatus = { ...UNKNOWN, ...readStatus(database).sources[name], ...change };
  const [row] = database
    .prepare(
      `INSERT INTO source (name, content_at, facts) VALUES (?, ?, ?) ON CONFLICT (name)
       DO UPDATE SET content_at = excluded.content_at, facts = excluded.facts RETURNING id`,
    )
    .raw(true)
    .all([name, facts.contentAt, JSON.stringify(facts)]) as [number][];
  return row?.[0] ?? 0;
}

function writeEntries(database: Connection, source: number, entries: Iterable<SeenEntry>): void {
  database.prepare('DELETE FROM entry WHERE source = ?').run([source]);
  const insert = database.prepare('INSERT INTO entry VALUES (?, ?, ?, ?, ?)');
  let position = 0;
  for (const entry of entries) {
    insert.run([source, position, ...entry]);
    position += 1;
  }
}

function* readEntries(file: string, name: string): Generator<SeenEntry> {
  const database = openFeedDatabase(file);
  try {
    yield* database
      .prepare(
        `SELECT text, first_seen, last_seen FROM entry WHERE source = (SELECT id FROM source WHERE name = ?)
         ORDER BY position`,
      )
      .raw(true)
      .iterate([name]) as Iterable<SeenEntry>;
  } finally {
    database.close();
  }
}

/** The copy is used if the database is damaged. */
async function copyDaily(file: string, copy: string, now: number): Promise<void> {
  const { copiedAt } = withFeedDatabase(file, (database) => {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return readStatus(database);
  });
  if (now - copiedAt < DAY_MS) return;
  const draft = `${copy}.new`;
  rmSync(draft, { force: true });
  await backupSqlite(file, draft);
  removeFeedDatabase(copy);
  renameSync(draft, copy);
  withFeedDatabase(file, (database) => writeState(database, 'copiedAt', now));
}

function nextFailure(last: Failure | null, message: string, at: number): Failure {
  return { since: last?.since ?? at, at, message, times: (last?.times ?? 0) + 1 };
}

function replaceFile(file: string, draft: string, bytes: Uint8Array): void {
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(handle, bytes);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
}
