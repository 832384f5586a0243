import { type Cidr, parseCidr } from '../model/cidr.ts';
import { bundledDomainSources } from './bundled-domains.ts';
import { compileBundledNetworks, type FreshNetworks } from './bundled-networks.ts';
import { compileDomains, type DomainSource } from './compile-domains.ts';
import type { Overlays } from './compile-networks.ts';
import type { EntryCollector, FeedArchive, FeedHeader } from './feed-archive.ts';
import { type DomainFeed, domainSources } from './feed-domains.ts';
import type { FeedSource, OverlayKind } from './feed-source.ts';
import { type Contents, FEED_LISTS, type FeedList, type ListStatus } from './feed-state.ts';
import type { FeedProgress } from './keep-feed.ts';
import { createNetworkTableReader } from './network-table.ts';

export interface CompileOptions {
  /** Every source that can be archived, whether it changed or not. */
  readonly sources: readonly FeedSource[];
  readonly archive: FeedArchive;
  readonly now: () => number;
  /** When the bundled data was built, milliseconds since 1970. Anything compiled earlier is compiled again. */
  readonly bundledAt: number;
  /** Compile again now, even if the same data just failed. */
  readonly force: boolean;
  readonly onProgress?: (progress: FeedProgress) => void;
  /** The base domain lists under the feeds. By default those of the installation. */
  readonly bundledDomains?: () => Promise<readonly DomainSource[]>;
}

export interface CompileResult {
  /** Lists that were compiled successfully. */
  readonly compiled: readonly FeedList[];
  /** Why each list could not be compiled; its last good data stays in use. */
  readonly compileFailed: Readonly<Partial<Record<FeedList, string>>>;
}

/** The same data that failed to compile is tried again after this long. */
const RETRY_MS = 30 * 60_000;

/** Compiles each list whose compiled file is not up to date with the archive. */
export async function compileWhereNeeded(options: CompileOptions): Promise<CompileResult> {
  const compiled: FeedList[] = [];
  const compileFailed: Partial<Record<FeedList, string>> = {};
  for (const list of FEED_LISTS) {
    const contents = await archivedContents(list, options);
    if (!(await isNeeded(list, contents, options))) continue;
    options.onProgress?.({ step: 'compile', list });
    try {
      await compileList(list, contents, options);
      compiled.push(list);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      compileFailed[list] = message;
      await options.archive.noteCompileFailure(list, message, contents);
    }
  }
  return { compiled, compileFailed };
}

/** Which content of each of the list’s sources is in the archive. */
async function archivedContents(
  list: FeedList,
  { sources, archive }: CompileOptions,
): Promise<Record<string, number>> {
  const contents: Record<string, number> = {};
  for (const { name, use } of sources) {
    const header = use.list === list ? await archive.header(name) : undefined;
    if (header !== undefined) contents[name] = header.contentAt;
  }
  return contents;
}

async function isNeeded(list: FeedList, contents: Contents, options: CompileOptions): Promise<boolean> {
  const { archive, bundledAt, now, force } = options;
  const compiledAt = await archive.compiledAt(list);
  const last: ListStatus = (await archive.status()).lists[list];
  const inUse = compiledAt === undefined ? {} : last.contents;
  const olderThanBundled = compiledAt !== undefined && compiledAt < bundledAt;
  if (sameContents(inUse, contents) && !olderThanBundled) return false;
  const { failure } = last;
  const failedWithSame = failure !== null && sameContents(failure.contents, contents);
  return force || !failedWithSame || now() - failure.at >= RETRY_MS;
}

function sameContents(a: Contents, b: Contents): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/** Compiles everything archived for a list on top of the bundled data. */
async function compileList(list: FeedList, contents: Contents, options: CompileOptions): Promise<void> {
  const { archive, now, sources } = options;
  const startedAt = performance.now();
  const archived = sources.filter(({ name }) => contents[name] !== undefined);
  const bundled = options.bundledDomains ?? bundledDomainSources;
  // Not always `contents`: instead of a damaged copy, the archive returns the previous one.
  const contentsRead: Record<string, number> = {};
  const read: ReadArchived = async (source, collect) => {
    const feed = await archive.read(source.name, collect);
    if (feed === undefined) throw new Error(`The archived copy of ${source.name} cannot be read`);
    contentsRead[source.name] = feed.header.contentAt;
    return { day: dayOf(feed.header), content: feed.content };
  };
  const bytes =
    list === 'domains' ? await domainBytes(archived, read, bundled) : await networkBytes(archived, read);
  await archive.replace(`${list}.bin`, bytes);
  await archive.noteCompiled(list, {
    compiledAt: now(),
    contents: contentsRead,
    durationMs: Math.round(performance.now() - startedAt),
    peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
  });
}

type ReadArchived = <T>(
  source: FeedSource,
  collect: (header: FeedHeader) => EntryCollector<T>,
) => Promise<{ readonly day: string; readonly content: T }>;

async function domainBytes(
  archived: readonly FeedSource[],
  read: ReadArchived,
  bundled: () => Promise<readonly DomainSource[]>,
): Promise<Uint8Array> {
  const feeds: DomainFeed[] = [];
  for (const source of archived) {
    if (source.use.list !== 'domains') continue;
    const { day, content } = await read(source, currentAndEarlier);
    feeds.push({ name: source.name, tier: source.use.tier, day, ...content });
  }
  const { sources, spared } = domainSources(feeds, await bundled());
  return compileDomains(sources, undefined, spared);
}

/** The entries of the newest file, and those of earlier files only. */
function currentAndEarlier({
  contentAt,
}: FeedHeader): EntryCollector<{ current: string[]; earlier: string[] }> {
  const current: string[] = [];
  const earlier: string[] = [];
  return {
    add: (entry, _firstSeen, lastSeen) => {
      if (lastSeen === contentAt) current.push(entry);
      else earlier.push(entry);
    },
    finish: () => ({ current, earlier }),
  };
}

async function networkBytes(archived: readonly FeedSource[], read: ReadArchived): Promise<Uint8Array> {
  const entries = new Map<OverlayKind, string[]>();
  let table: FreshNetworks['table'];
  let newestDay = '';
  for (const source of archived) {
    const { use } = source;
    if (use.list !== 'networks') continue;
    let day: string;
    if ('table' in use) {
      const archivedTable = await read(source, createNetworkTableReader);
      day = archivedTable.day;
      table = { day, networks: archivedTable.content };
    } else {
      const ranges = await read(source, currentAndEarlier);
      day = ranges.day;
      const { current, earlier } = ranges.content;
      entries.set(use.kind, [...(entries.get(use.kind) ?? []), ...current, ...earlier]);
    }
    if (day > newestDay) newestDay = day;
  }
  const overlays = overlaysOf(entries);
  return compileBundledNetworks(newestDay === '' ? undefined : { overlays, day: newestDay, table });
}

/** Ranges are parsed only when they are applied. As objects they would take a hundred megabytes together. */
function overlaysOf(entries: ReadonlyMap<OverlayKind, string[]>): Overlays {
  return Object.fromEntries([...entries].map(([kind, texts]) => [kind, cidrsOf(texts)]));
}

function* cidrsOf(texts: readonly string[]): Generator<Cidr> {
  for (const text of texts) {
    const cidr = parseCidr(text);
    if (cidr !== undefined) yield cidr;
  }
}

function dayOf({ contentAt }: FeedHeader): string {
  return new Date(contentAt).toISOString().slice(0, 10);
}
