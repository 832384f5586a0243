import { copyFileSync, renameSync, statSync } from 'node:fs';
import { backupSqlite } from '../store/sqlite/backup-sqlite.ts';
import { type Connection, openConnection } from '../store/sqlite/connection.ts';
import type { FeedArchive, SeenEntry } from './feed-archive.ts';
import { isFeedDatabase, removeFeedDatabase } from './feed-database.ts';
import type { FeedSource } from './feed-source.ts';

/**
 * Writes what is archived of these sources to one file for another machine. It says nothing of this one: neither
 * addresses of sources nor what went wrong.
 */
export async function writeBundle(
  sources: readonly FeedSource[],
  archive: FeedArchive,
  to: string,
): Promise<readonly string[]> {
  const { sources: known } = archive.status();
  const names = sources.map(({ name }) => name).filter((name) => known[name]?.contentAt != null);
  if (names.length === 0) return names;
  const draft = `${to}.unfinished`;
  removeFeedDatabase(draft);
  try {
    await backupSqlite(archive.file, draft);
    const database = openConnection(draft, 'write');
    const others = `name NOT IN (${names.map(() => '?').join()}) OR content_at IS NULL`;
    database.prepare(`DELETE FROM entry WHERE source IN (SELECT id FROM source WHERE ${others})`).run(names);
    database.prepare(`DELETE FROM source WHERE ${others}`).run(names);
    // What is deleted is overwritten with zeros.
    database.exec("UPDATE source SET facts = '{}'; DELETE FROM state; PRAGMA journal_mode = DELETE");
    database.close();
    renameSync(draft, to);
  } finally {
    removeFeedDatabase(draft);
  }
  return names;
}

export interface Bundle {
  readonly sources: readonly { readonly name: string; readonly contentAt: number }[];
  /** The entries of the newest file of a source. Throws if they are longer together than this. */
  entries(name: string, maxBytes: number): Iterable<string>;
  /** Entries that a source listed before, with when. */
  earlierEntries(name: string): Iterable<SeenEntry>;
  close(): void;
}

/** All built-in sources together have a tenth of this. */
const MAX_BYTES = 1024 ** 3;
const MAX_SOURCES = 1_000;

/**
 * Opens a file that can contain anything. `copy` is where it is examined, so that nothing beside it counts and it
 * does not change meanwhile. Throws an Error with the reason if it is not a bundle.
 */
export function openBundle(file: string, copy: string): Bundle {
  if (statSync(file).size > MAX_BYTES) throw new Error('this bundle of feeds is too large');
  copyFileSync(file, copy);
  const database = openUntrusted(copy);
  const sources = database
    .prepare('SELECT name, content_at FROM source WHERE content_at IS NOT NULL ORDER BY id LIMIT ?')
    .raw(true)
    .all([MAX_SOURCES]) as [string, number][];
  const select = (columns: string, condition: string) =>
    database
      .prepare(
        `SELECT ${columns} FROM entry JOIN source ON source.id = source WHERE name = ? AND ${condition} ORDER BY position`,
      )
      .raw(true);
  return {
    sources: sources.map(([name, contentAt]) => ({ name, contentAt })),
    entries: (name, maxBytes) => {
      const [row] = select('sum(length(CAST(text AS BLOB)) + 1)', 'last_seen = content_at').all([name]) as [
        number | null,
      ][];
      if ((row?.[0] ?? 0) > maxBytes) throw new Error(`has more than the ${maxBytes} bytes allowed`);
      return { [Symbol.iterator]: () => texts(select('text', 'last_seen = content_at').iterate([name])) };
    },
    earlierEntries: (name) =>
      select('text, first_seen, last_seen', 'first_seen <> content_at').iterate([
        name,
      ]) as Iterable<SeenEntry>,
    close: () => {
      database.close();
      removeFeedDatabase(copy);
    },
  };
}

function* texts(rows: Iterable<unknown>): Generator<string> {
  for (const [text] of rows as Iterable<[string]>) yield text;
}

function openUntrusted(file: string): Connection {
  let database: Connection | undefined;
  try {
    database = openConnection(file, 'write');
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON');
    if (isFeedDatabase(database)) return database;
  } catch (cause) {
    database?.close();
    throw new Error('this is not a bundle of feeds, or it is damaged', { cause });
  }
  database.close();
  throw new Error('this is not a bundle of feeds, or it is damaged');
}
