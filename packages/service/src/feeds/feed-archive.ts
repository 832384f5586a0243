import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { makeFolder } from '../make-folder.ts';
import { type FeedLock, openFeedLock } from './feed-lock.ts';
import { type FeedState, openFeedState } from './feed-state.ts';
import type { FeedValidators } from './fetch-feed.ts';
import type { FeedSizes } from './guard-size.ts';
import { joinLines, lineBatches } from './read-lines.ts';

/** Facts about a source’s last good file. */
export interface FeedHeader {
  /** When this content was fetched, milliseconds since 1970. It identifies the content. */
  readonly contentAt: number;
  /** Entries of the newest good file, without those that are only kept from earlier files. For a table, its lines. */
  readonly count: number;
  readonly validators: Readonly<Record<string, FeedValidators>>;
  readonly sizes: FeedSizes;
}

/** Called with each entry of a source. `lastSeen` equals `contentAt` for entries of the newest file. */
export interface EntryCollector<T> {
  readonly add: (entry: string, firstSeen: number, lastSeen: number) => void;
  readonly finish: () => T;
}

export interface FeedArchive extends FeedState {
  readonly folder: string;
  /** `undefined` if nothing is archived for the source. */
  header(name: string): Promise<FeedHeader | undefined>;
  read<T>(
    name: string,
    collect: (header: FeedHeader) => EntryCollector<T>,
  ): Promise<{ readonly header: FeedHeader; readonly content: T } | undefined>;
  /** Replaces the archived copy of a source. The previous copy is kept until the next time. */
  write(name: string, header: FeedHeader, lines: AsyncIterable<string[]>): Promise<void>;
  /** When a list was last compiled, milliseconds since 1970. */
  compiledAt(list: 'domains' | 'networks'): Promise<number | undefined>;
  /** Replaces a file of the folder atomically: readers see the old one or the new one. */
  replace(name: string, bytes: Uint8Array): Promise<void>;
  /** A temporary file. If this refresh is killed, the next one removes it. */
  draft(): string;
  /** Runs `work` unless another process is refreshing. */
  exclusively<T>(work: () => Promise<T>): Promise<T | 'busy'>;
}

const FORMAT = 'postern-feed-2';
const DRAFT = '.draft';
const fileOf = (name: string) => `${name}.feed.gz`;
const previousOf = (name: string) => `${name}.previous.feed.gz`;

export interface ArchiveOptions {
  /** Called if an archived copy cannot be read. The message says which one, why, and what happens next. */
  readonly onDamage?: (name: string, message: string) => void;
  readonly lock?: FeedLock;
}

/** The folder in which refreshed data is kept, shared by all processes of one machine. */
export function openFeedArchive(
  folder: string,
  now: () => number,
  { onDamage, lock = openFeedLock(folder) }: ArchiveOptions = {},
): FeedArchive {
  const path = (name: string) => join(folder, name);
  const draft = () => path(`${randomUUID()}${DRAFT}`);

  async function replace(name: string, bytes: Uint8Array): Promise<void> {
    makeFolder(folder);
    const written = draft();
    const file = await open(written, 'w', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(written, path(name));
  }

  async function read<T>(name: string, collect: (header: FeedHeader) => EntryCollector<T>) {
    try {
      return await readFile(path(fileOf(name)), collect);
    } catch (error) {
      if (isMissing(error)) return undefined;
      const why = error instanceof Error ? error.message : String(error);
      return await recover(name, why, collect);
    }
  }

  /** The previous copy is at most one refresh older and has nearly all of the history. */
  async function recover<T>(name: string, why: string, collect: (header: FeedHeader) => EntryCollector<T>) {
    const damaged = `The kept copy of ${name} is damaged (${why}).`;
    try {
      const previous = await readFile(path(previousOf(name)), collect);
      await rename(path(previousOf(name)), path(fileOf(name)));
      onDamage?.(name, `${damaged} The copy before it is used instead.`);
      return previous;
    } catch {
      await rm(path(fileOf(name)), { force: true });
      onDamage?.(name, `${damaged} It is fetched again; entries that were only kept from earlier are lost.`);
      return undefined;
    }
  }

  return {
    folder,
    draft,
    replace,
    read,
    ...openFeedState(folder, now, replace),
    header: async (name) => {
      try {
        return await readHeader(path(fileOf(name)));
      } catch (error) {
        // Reading the whole file reports the damage and restores the previous copy.
        return isMissing(error) ? undefined : (await read(name, countOnly))?.header;
      }
    },
    write: async (name, header, lines) => {
      makeFolder(folder);
      const written = draft();
      await pipeline(
        Readable.from(joinLines(framed(header, lines))),
        createGzip({ level: 4 }),
        createWriteStream(written, { mode: 0o600, flush: true }),
      );
      await rm(path(previousOf(name)), { force: true });
      await link(path(fileOf(name)), path(previousOf(name))).catch(() => {});
      await rename(written, path(fileOf(name)));
    },
    compiledAt: async (list) => (await stat(path(`${list}.bin`)).catch(() => undefined))?.mtimeMs,
    exclusively: async (work) =>
      lock.exclusively(async () => {
        await removeDrafts(folder);
        return work();
      }),
  };
}

async function* framed(header: FeedHeader, lines: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  let count = 0;
  yield [JSON.stringify({ format: FORMAT, ...header })];
  for await (const batch of lines) {
    count += batch.length;
    yield batch;
  }
  yield [`#end ${count}`];
}

/** An entry as a line, with the times that differ from the file’s own. */
export function entryLine(entry: string, firstSeen: number, lastSeen: number, contentAt: number): string {
  if (lastSeen !== contentAt) return `${entry}\t${firstSeen}\t${lastSeen}`;
  return firstSeen === contentAt ? entry : `${entry}\t${firstSeen}`;
}

export function readEntryLine(line: string, contentAt: number, add: EntryCollector<unknown>['add']): void {
  const tab = line.indexOf('\t');
  const [first, last] = tab < 0 ? [] : line.slice(tab + 1).split('\t');
  const seen = (moment: string | undefined) => (moment === undefined ? contentAt : Number(moment));
  add(tab < 0 ? line : line.slice(0, tab), seen(first), seen(last));
}

const countOnly = (): EntryCollector<undefined> => ({ add: () => {}, finish: () => undefined });

async function readHeader(file: string): Promise<FeedHeader> {
  for await (const [line] of lineBatches(file)) if (line !== undefined) return parseHeader(line);
  throw new Error('it is empty');
}

async function readFile<T>(file: string, collect: (header: FeedHeader) => EntryCollector<T>) {
  let header: FeedHeader | undefined;
  let collector: EntryCollector<T> | undefined;
  let count = 0;
  let end: string | undefined;
  for await (const lines of lineBatches(file)) {
    for (const line of lines) {
      if (header === undefined || collector === undefined) {
        header = parseHeader(line);
        collector = collect(header);
      } else if (line.startsWith('#end ')) end = line;
      else {
        count += 1;
        readEntryLine(line, header.contentAt, collector.add);
      }
    }
  }
  if (header === undefined || collector === undefined || end !== `#end ${count}`)
    throw new Error('its end is missing');
  return { header, content: collector.finish() };
}

function parseHeader(line: string): FeedHeader {
  const { format, ...header } = JSON.parse(line) as FeedHeader & { readonly format?: string };
  if (format !== FORMAT) throw new Error('it has another format');
  return header;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Removes the drafts of a killed refresh. Only the owner of the lock writes drafts. */
async function removeDrafts(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => name.endsWith(DRAFT));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}
