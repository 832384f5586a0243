import { createWriteStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { entryLine, type FeedArchive, readEntryLine } from './feed-archive.ts';
import type { FeedSource } from './feed-source.ts';
import { joinLines, lineBatches } from './read-lines.ts';

const FORMAT = 'postern-feeds-2';

interface Section {
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly contentAt: number;
  /** How many lines follow. */
  readonly lines: number;
}

/** One source in a bundle. */
export interface PackedFeed {
  readonly name: string;
  readonly contentAt: number;
  /** The entries of the source, one per line. */
  readonly file: string;
  /** Entries that the source no longer listed at that time. */
  readonly earlierEntries: readonly (readonly [entry: string, firstSeen: number, lastSeen: number])[];
}

/** Writes the archived sources to one file, with one source in memory at a time. */
export async function packFeeds(
  sources: readonly FeedSource[],
  archive: FeedArchive,
  file: string,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { name } of sources) if ((await archive.header(name)) !== undefined) names.push(name);
  if (names.length > 0)
    await pipeline(
      Readable.from(joinLines(sections(names, archive))),
      createGzip(),
      createWriteStream(file, { mode: 0o600 }),
    );
  return names;
}

async function* sections(names: readonly string[], archive: FeedArchive): AsyncGenerator<string[]> {
  yield [JSON.stringify({ format: FORMAT })];
  for (const name of names) {
    const feed = await archive.read(name, ({ contentAt }) => {
      const lines: string[] = [];
      return {
        add: (entry, first, last) => void lines.push(entryLine(entry, first, last, contentAt)),
        finish: () => lines,
      };
    });
    if (feed === undefined) continue;
    const { header, content } = feed;
    const section: Section = { source: name, contentAt: header.contentAt, lines: content.length };
    yield [JSON.stringify(section)];
    yield content;
  }
}

/** Yields each source of a bundle. Throws an Error with the reason if the file is not a bundle. */
export async function* unpackFeeds(file: string, draft: () => string): AsyncGenerator<PackedFeed> {
  let formatSeen = false;
  let feed: OpenFeed | undefined;
  for await (const lines of readable(file)) {
    let list: string[] = [];
    for (const line of lines) {
      if (!formatSeen) {
        if (readJson(line)?.format !== FORMAT) throw new Error(`this is not a bundle of feeds (${FORMAT})`);
        formatSeen = true;
        continue;
      }
      if (feed === undefined) feed = openSection(line, draft());
      else takeLine(line, feed, list);
      if (feed.left === 0) {
        await writeList(feed, list);
        list = [];
        const { name, contentAt, earlierEntries } = feed;
        yield { name, contentAt, earlierEntries, file: feed.file };
        feed = undefined;
      }
    }
    if (feed !== undefined) await writeList(feed, list);
  }
  if (!formatSeen) throw new Error(`this is not a bundle of feeds (${FORMAT})`);
  if (feed !== undefined) throw new Error(`this bundle of feeds is cut off in ${feed.name}`);
}

interface OpenFeed {
  readonly name: string;
  readonly contentAt: number;
  readonly file: string;
  readonly earlierEntries: [string, number, number][];
  left: number;
}

async function* readable(file: string): AsyncGenerator<string[]> {
  try {
    // The line reader decides by the file name whether to unpack, and a bundle can have any name.
    yield* lineBatches(file, true);
  } catch (cause) {
    throw new Error('this is not a bundle of feeds: it cannot be unpacked', { cause });
  }
}

function openSection(line: string, file: string): OpenFeed {
  const section = readJson(line);
  const { source: name, contentAt, lines: left } = section ?? {};
  if (typeof name !== 'string' || !isCount(contentAt) || !isCount(left))
    throw new Error('this bundle of feeds is damaged');
  return { name, contentAt, file, earlierEntries: [], left };
}

function takeLine(line: string, feed: OpenFeed, list: string[]): void {
  feed.left -= 1;
  readEntryLine(line, feed.contentAt, (entry, first, last) => {
    if (last === feed.contentAt) list.push(entry);
    if (first !== feed.contentAt) feed.earlierEntries.push([entry, first, last]);
  });
}

async function writeList({ file }: OpenFeed, list: readonly string[]): Promise<void> {
  if (list.length > 0) await appendFile(file, `${list.join('\n')}\n`, { mode: 0o600 });
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function readJson(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
