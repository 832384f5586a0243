import { type Cidr, parseCidr } from '../model/cidr.ts';
import { bundledDomainSources } from './bundled-domains.ts';
import { compileBundledNetworks, type FreshNetworks } from './bundled-networks.ts';
import { compileDomains, type DomainSource } from './compile-domains.ts';
import type { Overlays } from './compile-networks.ts';
import type { ArchivedFeed, FeedArchive } from './feed-archive.ts';
import type { FeedSource } from './feed-source.ts';
import type { FeedValidators, FetchFeed } from './fetch-feed.ts';
import { guardFeed } from './guard-feed.ts';
import { readNetworkTable } from './network-table.ts';
import { readFeed } from './read-feed.ts';

export type FeedProgress =
  | {
      readonly step: 'fetch';
      readonly source: string;
      readonly received: number;
      readonly total: number | undefined;
    }
  | {
      readonly step: 'done';
      readonly source: string;
      readonly result: 'changed' | 'unchanged' | 'refused';
      readonly entries: number;
      readonly error?: string;
    }
  | { readonly step: 'compile'; readonly list: 'domains' | 'networks' };

export interface RefreshOptions {
  readonly sources: readonly FeedSource[];
  /** The one source to refresh; what is compiled holds all of them nevertheless. */
  readonly only?: string | undefined;
  readonly archive: FeedArchive;
  readonly fetch: FetchFeed;
  readonly now: () => number;
  /** `false`: only sources whose time has come. */
  readonly force: boolean;
  /** Whether a source may be at a private address. */
  readonly allowPrivate: boolean;
  /** When the bundled data was built, milliseconds since 1970: what was compiled before is compiled anew. */
  readonly bundledAt: number;
  readonly onProgress?: (progress: FeedProgress) => void;
}

export interface RefreshResult {
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
  readonly refused: Readonly<Record<string, string>>;
}

/** A minute, and what the largest file may take at half a megabyte a second. */
const fetchTimeoutMs = ({ maxBytes }: FeedSource): number => 60_000 + Math.ceil((2 * maxBytes) / 1024);

/** Fetches what is due, keeps what is good, and compiles what changed. A source that fails leaves the last good copy. */
export async function refreshFeeds(options: RefreshOptions): Promise<RefreshResult | 'busy'> {
  return options.archive.exclusively(async () => {
    const changed: FeedSource[] = [];
    const unchanged: string[] = [];
    const refused: Record<string, string> = {};
    const status = await options.archive.status();
    for (const source of options.sources) {
      if (options.only !== undefined && source.name !== options.only) continue;
      const last = status[source.name];
      if (!options.force && last?.triedAt != null && options.now() - last.triedAt < source.everyMs) continue;
      try {
        if (await refreshOne(source, options)) changed.push(source);
        else unchanged.push(source.name);
      } catch (error) {
        refused[source.name] = error instanceof Error ? error.message : String(error);
        await noteRefusal(source, options, refused[source.name] ?? '');
      }
    }
    await compileChanged(options, changed);
    return { changed: changed.map(({ name }) => name), unchanged, refused };
  });
}

/** Whether the source had something new that was good. */
async function refreshOne(source: FeedSource, options: RefreshOptions): Promise<boolean> {
  const { archive, now, onProgress } = options;
  const kept = await archive.read(source.name);
  const validators: Record<string, FeedValidators> = {};
  const texts: string[] = [];
  for (const url of source.urls) {
    // With several files, one that is unchanged is no use without the others: they are then fetched whole.
    const known = source.urls.length === 1 ? (kept?.validators[url] ?? {}) : {};
    const answer = await options.fetch(url, known, {
      maxBytes: source.maxBytes,
      timeoutMs: fetchTimeoutMs(source),
      allowPrivate: options.allowPrivate,
      onBytes: (received, total) => onProgress?.({ step: 'fetch', source: source.name, received, total }),
    });
    if (answer.changed) {
      texts.push(answer.text);
      validators[url] = answer.validators;
    }
  }
  if (texts.length === 0) {
    await noteSuccess(source, options, kept === undefined ? 0 : sizeOf(kept), 'unchanged');
    return false;
  }
  const entries = texts.flatMap((text) => readFeed(text, source.format));
  const feed = await archiveEntries(source, entries, validators, archive, now(), kept);
  await noteSuccess(source, options, sizeOf(feed), 'changed');
  return true;
}

/** Keeps what is good. Throws when it is not. */
async function archiveEntries(
  source: FeedSource,
  entries: readonly string[],
  validators: ArchivedFeed['validators'],
  archive: FeedArchive,
  now: number,
  kept: ArchivedFeed | undefined,
): Promise<ArchivedFeed> {
  guardFeed(source, entries, kept?.count);
  const isTable = source.format === 'asn-csv';
  if (isTable) await archive.writeTable(source.name, entries);
  const feed = isTable
    ? { fetchedAt: now, count: entries.length, validators, entries: new Map<string, number>() }
    : accumulate(source, entries, kept, now, validators);
  await archive.write(source.name, feed);
  return feed;
}

function sizeOf({ count, entries }: ArchivedFeed): number {
  return Math.max(count, entries.size);
}

/** What the source names now, and what it named not too long ago. */
export function accumulate(
  source: Pick<FeedSource, 'keepMs'>,
  entries: readonly string[],
  kept: ArchivedFeed | undefined,
  now: number,
  validators: ArchivedFeed['validators'],
): ArchivedFeed {
  const all = new Map<string, number>();
  for (const [entry, seenAt] of kept?.entries ?? []) {
    if (now - seenAt <= source.keepMs) all.set(entry, seenAt);
  }
  for (const entry of entries) all.set(entry, now);
  return { fetchedAt: now, count: entries.length, validators, entries: all };
}

async function noteSuccess(
  source: FeedSource,
  { archive, now, onProgress }: RefreshOptions,
  entries: number,
  result: 'changed' | 'unchanged',
): Promise<void> {
  await archive.writeStatus({ name: source.name, triedAt: now(), fetchedAt: now(), entries, error: null });
  onProgress?.({ step: 'done', source: source.name, result, entries });
}

async function noteRefusal(
  source: FeedSource,
  { archive, now, onProgress }: RefreshOptions,
  error: string,
): Promise<void> {
  const last = (await archive.status())[source.name];
  const entries = last?.entries ?? 0;
  await archive.writeStatus({
    name: source.name,
    triedAt: now(),
    fetchedAt: last?.fetchedAt ?? null,
    entries,
    error,
  });
  onProgress?.({ step: 'done', source: source.name, result: 'refused', entries, error });
}

/** A list is compiled when one of its sources changed, or when a newer build brought newer bundled data. */
async function compileChanged(options: RefreshOptions, changed: readonly FeedSource[]): Promise<void> {
  const { archive, sources, bundledAt, onProgress } = options;
  for (const list of ['domains', 'networks'] as const) {
    const compiledAt = await archive.compiledAt(list);
    const outdated = compiledAt !== undefined && compiledAt < bundledAt;
    if (!outdated && !changed.some(({ use }) => use.list === list)) continue;
    onProgress?.({ step: 'compile', list });
    await compileList(list, sources, archive);
  }
}

/** Compiles everything that is archived for a list, on top of what is bundled. */
export async function compileList(
  list: 'domains' | 'networks',
  sources: readonly FeedSource[],
  archive: FeedArchive,
): Promise<void> {
  const feeds: { source: FeedSource; feed: ArchivedFeed }[] = [];
  for (const source of sources) {
    const feed = source.use.list === list ? await archive.read(source.name) : undefined;
    if (feed !== undefined) feeds.push({ source, feed });
  }
  const bytes = list === 'domains' ? await domainBytes(feeds) : await networkBytes(feeds, archive);
  await archive.replace(`${list}.bin`, bytes);
}

type ArchivedSource = { readonly source: FeedSource; readonly feed: ArchivedFeed };

/** A refreshed list takes the place of the bundled one of the same name. */
async function domainBytes(feeds: readonly ArchivedSource[]): Promise<Uint8Array> {
  const fresh = feeds.flatMap(({ source, feed }): DomainSource[] =>
    source.use.list === 'domains'
      ? [
          {
            name: source.name,
            tier: source.use.tier,
            date: dayOf(feed.fetchedAt),
            domains: feed.entries.keys(),
          },
        ]
      : [],
  );
  const bundled = (await bundledDomainSources()).filter(
    ({ name }) => !fresh.some((source) => source.name === name),
  );
  return compileDomains([...fresh, ...bundled]);
}

async function networkBytes(feeds: readonly ArchivedSource[], archive: FeedArchive): Promise<Uint8Array> {
  const overlays: { -readonly [kind in keyof Overlays]: Cidr[] } = {};
  let table: FreshNetworks['table'];
  for (const { source, feed } of feeds) {
    if (source.use.list !== 'networks') continue;
    if ('table' in source.use) {
      const text = await archive.readTable(source.name);
      if (text !== undefined)
        table = { day: dayOf(feed.fetchedAt), networks: readNetworkTable(text.split('\n')) };
      continue;
    }
    const ranges = [...feed.entries.keys()].flatMap((text) => parseCidr(text) ?? []);
    overlays[source.use.kind] = [...(overlays[source.use.kind] ?? []), ...ranges];
  }
  const newest = Math.max(0, ...feeds.map(({ feed }) => feed.fetchedAt));
  return compileBundledNetworks(newest === 0 ? undefined : { overlays, day: dayOf(newest), table });
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
