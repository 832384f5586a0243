import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FeedArchive } from './feed-archive.ts';
import type { FeedSource } from './feed-source.ts';

const inflate = promisify(gunzip);
const deflate = promisify(gzip);

const FORMAT = 'postern-feeds-1';
/** Far more than all sources together; a bundle that inflates to more is no bundle. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** One source as it travels: what it named last, and what it named before and is kept. */
export interface PackedFeed {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  /** The source’s file again, a line each. */
  readonly entries: readonly string[];
  /** Entries that the source no longer named then, with the moment it last did. */
  readonly kept: readonly (readonly [entry: string, seenAt: number])[];
}

/** Packs what is archived of the sources into one file: a line for each, gzipped. */
export async function packFeeds(
  sources: readonly FeedSource[],
  archive: FeedArchive,
): Promise<{ readonly bytes: Uint8Array; readonly names: readonly string[] }> {
  const lines = [JSON.stringify({ format: FORMAT })];
  const names: string[] = [];
  for (const source of sources) {
    const packed = await packOne(source, archive);
    if (packed === undefined) continue;
    names.push(source.name);
    lines.push(JSON.stringify(packed));
  }
  return { bytes: await deflate(lines.join('\n')), names };
}

async function packOne({ name, format }: FeedSource, archive: FeedArchive): Promise<PackedFeed | undefined> {
  const feed = await archive.read(name);
  if (feed === undefined) return undefined;
  const { fetchedAt } = feed;
  if (format === 'asn-csv') {
    const table = await archive.readTable(name);
    return table === undefined ? undefined : { name, fetchedAt, entries: table.split('\n'), kept: [] };
  }
  const all = [...feed.entries];
  // Whatever the newest good file named carries the newest moment; the rest is only kept.
  const newest = all.reduce((latest, [, seenAt]) => Math.max(latest, seenAt), 0);
  return {
    name,
    fetchedAt,
    entries: all.filter(([, seenAt]) => seenAt === newest).map(([entry]) => entry),
    kept: all.filter(([, seenAt]) => seenAt !== newest),
  };
}

/** Throws an Error that says why when the file is no bundle. */
export async function unpackFeeds(bytes: Uint8Array): Promise<PackedFeed[]> {
  let text: string;
  try {
    text = (await inflate(bytes, { maxOutputLength: MAX_BYTES })).toString();
  } catch (cause) {
    throw new Error('this is no bundle of feeds: it does not unpack', { cause });
  }
  const [header = '', ...lines] = text.split('\n');
  if (readLine(header)?.format !== FORMAT) throw new Error(`this is no bundle of feeds (${FORMAT})`);
  return lines.map((line, at) => {
    const feed = readLine(line);
    if (!isPackedFeed(feed)) throw new Error(`this bundle of feeds is damaged at source ${at + 1}`);
    return feed;
  });
}

function readLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isPackedFeed(feed: Record<string, unknown> | undefined): feed is PackedFeed & typeof feed {
  const isText = (value: unknown) => typeof value === 'string';
  return (
    isText(feed?.name) &&
    Number.isSafeInteger(feed.fetchedAt) &&
    Array.isArray(feed.entries) &&
    feed.entries.every(isText) &&
    Array.isArray(feed.kept) &&
    feed.kept.every(
      (pair) => Array.isArray(pair) && isText(pair[0]) && Number.isSafeInteger(pair[1]) && pair.length === 2,
    )
  );
}
