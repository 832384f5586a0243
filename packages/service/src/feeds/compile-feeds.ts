import { type ListTier, MAX_SOURCES } from '../lookup/domain-list-format.ts';
import { bundledDomainSources, mergeSources } from './bundled-domains.ts';
import { type BundledTables, compileBundledNetworks, type FreshNetworks } from './bundled-networks.ts';
import { compileDomains, type DomainSource } from './compile-domains.ts';
import type { Overlays } from './compile-networks.ts';
import {
  type Contents,
  FEED_LISTS,
  type FeedArchive,
  type FeedList,
  type SeenEntry,
} from './feed-archive.ts';
import { cidrsOf } from './feed-candidate.ts';
import type { FeedSource, OverlayKind } from './feed-source.ts';
import type { FeedProgress } from './keep-feed.ts';
import { createNetworkTableReader } from './network-table.ts';

/** An archived domain list. */
interface DomainFeed {
  readonly name: string;
  readonly tier: ListTier | 'spared';
  /** ISO 8601. */
  readonly day: string;
  /** The entries of its newest file. */
  readonly current: readonly string[];
  /** The entries of earlier files only. */
  readonly earlier: readonly string[];
}

/**
 * The sources to compile: feeds, and bundled lists that no feed of the same name replaces. Entries that a feed no
 * longer lists are weaker evidence. They count as an aggregator’s, so that a removed domain never stays at `high`.
 */
function domainSources(
  feeds: readonly DomainFeed[],
  bundled: readonly DomainSource[],
): { readonly sources: readonly DomainSource[]; readonly spared: ReadonlySet<string> } {
  const spared = new Set<string>();
  const fresh: DomainSource[] = [];
  for (const { name, tier, day, current, earlier } of feeds) {
    if (tier === 'spared') {
      for (const domain of current) spared.add(domain);
    } else {
      fresh.push({ name, tier, date: day, domains: current });
      if (earlier.length > 0)
        fresh.push({ name: `${name}-earlier`, tier: 'aggregator', date: day, domains: earlier });
    }
  }
  const sources = mergeSources(fresh, bundled);
  return { sources: sources.length > MAX_SOURCES ? mergeLast(sources) : sources, spared };
}

/** The compiled file can tell MAX_SOURCES sources apart. Of the last ones, those of the same tier count as one. */
function mergeLast(sources: readonly DomainSource[]): DomainSource[] {
  const apart = sources.slice(0, MAX_SOURCES - 2);
  const rest = sources.slice(MAX_SOURCES - 2);
  const merged = (['curated', 'aggregator'] as const).flatMap((tier) => {
    const some = rest.filter((source) => source.tier === tier);
    if (some.length === 0) return [];
    const date = some.reduce((newest, source) => (source.date > newest ? source.date : newest), '');
    const domains = new Set(some.flatMap((source) => [...source.domains]));
    return [{ name: `other-${tier}`, tier, date, domains }];
  });
  return [...apart, ...merged];
}

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
  /** The lists and tables that feeds add to or replace. By default those of the installation. */
  readonly bundledDomains?: () => Promise<readonly DomainSource[]>;
  readonly bundledNetworks?: () => BundledTables;
}

export interface CompileResult {
  /** Lists that were compiled successfully. */
  readonly compiled: readonly FeedList[];
  /** Why each list could not be compiled; its last good data stays in use. */
  readonly compileFailed: Readonly<Partial<Record<FeedList, string>>>;
}

/** How long after a failure the same data is compiled again. */
const RETRY_MS = 30 * 60_000;

/** Compiles each list whose compiled file is not up to date with the archive. */
export async function compileWhereNeeded(options: CompileOptions): Promise<CompileResult> {
  const compiled: FeedList[] = [];
  const compileFailed: Partial<Record<FeedList, string>> = {};
  for (const list of FEED_LISTS) {
    const contents = archivedContents(list, options);
    if (!isNeeded(list, contents, options)) continue;
    options.onProgress?.({ step: 'compile', list });
    try {
      await compileList(list, contents, options);
      compiled.push(list);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      compileFailed[list] = message;
      options.archive.noteCompileFailure(list, message, contents);
    }
  }
  return { compiled, compileFailed };
}

/** Which content of each of the list’s sources is in the archive, by its time. */
function archivedContents(list: FeedList, { sources, archive }: CompileOptions): Contents {
  const status = archive.status();
  return Object.fromEntries(
    sources.flatMap(({ name, use }) => {
      const contentAt = use.list === list ? status.sources[name]?.contentAt : undefined;
      return contentAt == null ? [] : [[name, contentAt]];
    }),
  );
}

function isNeeded(list: FeedList, contents: Contents, options: CompileOptions): boolean {
  const { archive, bundledAt, now, force } = options;
  const compiledAt = archive.compiledAt(list);
  const last = archive.status().lists[list];
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
  const feeds = archived.map((source) => {
    const contentAt = contents[source.name] ?? 0;
    return { source, contentAt, day: dayOf(contentAt), entries: archive.entries(source.name) };
  });
  const bytes = list === 'domains' ? domainBytes(feeds, await bundled()) : networkBytes(feeds, options);
  archive.replaceCompiled(list, bytes);
  archive.noteCompiled(list, {
    compiledAt: now(),
    contents,
    durationMs: Math.round(performance.now() - startedAt),
    peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
  });
}

interface ArchivedFeed {
  readonly source: FeedSource;
  readonly contentAt: number;
  readonly day: string;
  readonly entries: Iterable<SeenEntry>;
}

function domainBytes(archived: readonly ArchivedFeed[], bundled: readonly DomainSource[]): Uint8Array {
  const feeds: DomainFeed[] = [];
  for (const { source, day, ...feed } of archived) {
    if (source.use.list !== 'domains') continue;
    feeds.push({ name: source.name, tier: source.use.tier, day, ...currentAndEarlier(feed) });
  }
  const { sources, spared } = domainSources(feeds, bundled);
  return compileDomains(sources, undefined, spared);
}

/** The entries of the newest file, and those of earlier files only. */
function currentAndEarlier({ contentAt, entries }: Pick<ArchivedFeed, 'contentAt' | 'entries'>) {
  const current: string[] = [];
  const earlier: string[] = [];
  for (const [entry, , lastSeen] of entries) (lastSeen === contentAt ? current : earlier).push(entry);
  return { current, earlier };
}

function networkBytes(archived: readonly ArchivedFeed[], { bundledNetworks }: CompileOptions): Uint8Array {
  const entries = new Map<OverlayKind, string[]>();
  let table: FreshNetworks['table'];
  let newestDay = '';
  for (const { source, day, ...feed } of archived) {
    const { use } = source;
    if (use.list !== 'networks') continue;
    if ('table' in use) {
      const reader = createNetworkTableReader();
      for (const [line] of feed.entries) reader.add(line);
      table = { day, networks: reader.finish() };
    } else {
      const { current, earlier } = currentAndEarlier(feed);
      entries.set(use.kind, [...(entries.get(use.kind) ?? []), ...current, ...earlier]);
    }
    if (day > newestDay) newestDay = day;
  }
  const fresh = newestDay === '' ? undefined : { overlays: overlaysOf(entries), day: newestDay, table };
  return compileBundledNetworks(fresh, bundledNetworks?.());
}

/** Ranges are parsed only when they are applied. As objects they would take a hundred megabytes together. */
function overlaysOf(entries: ReadonlyMap<OverlayKind, string[]>): Overlays {
  return Object.fromEntries([...entries].map(([kind, texts]) => [kind, cidrsOf(texts)]));
}

function dayOf(contentAt: number): string {
  return new Date(contentAt).toISOString().slice(0, 10);
}
