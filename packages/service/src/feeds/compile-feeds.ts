import { type Cidr, parseCidr } from '../model/cidr.ts';
import { bundledDomainSources, mergeSources } from './bundled-domains.ts';
import { compileBundledNetworks, type FreshNetworks } from './bundled-networks.ts';
import { compileDomains, type DomainSource } from './compile-domains.ts';
import type { Overlays } from './compile-networks.ts';
import type { ArchivedFeed, FeedArchive } from './feed-archive.ts';
import type { FeedSource } from './feed-source.ts';
import type { FeedProgress } from './keep-feed.ts';
import { readNetworkTable } from './network-table.ts';

export interface CompileOptions {
  /** Every source that may be archived, whether it changed or not. */
  readonly sources: readonly FeedSource[];
  readonly archive: FeedArchive;
  /** When the bundled data was built, milliseconds since 1970: what was compiled before is compiled anew. */
  readonly bundledAt: number;
  readonly onProgress?: (progress: FeedProgress) => void;
}

/** A list is compiled when one of its sources changed, or when a newer build brought newer bundled data. */
export async function compileChanged(
  { archive, sources, bundledAt, onProgress }: CompileOptions,
  changed: readonly FeedSource[],
): Promise<void> {
  for (const list of ['domains', 'networks'] as const) {
    const compiledAt = await archive.compiledAt(list);
    const outdated = compiledAt !== undefined && compiledAt < bundledAt;
    if (!outdated && !changed.some(({ use }) => use.list === list)) continue;
    onProgress?.({ step: 'compile', list });
    await compileList(list, sources, archive);
  }
}

/** Compiles everything that is archived for a list, on top of what is bundled. */
async function compileList(
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
  const spared = new Set<string>();
  const fresh: DomainSource[] = [];
  for (const { source, feed } of feeds) {
    if (source.use.list !== 'domains') continue;
    const { tier } = source.use;
    if (tier === 'spared') for (const domain of feed.entries.keys()) spared.add(domain);
    else {
      const date = dayOf(feed.fetchedAt);
      fresh.push({ name: source.name, tier, date, domains: feed.entries.keys() });
    }
  }
  return compileDomains(mergeSources(fresh, await bundledDomainSources()), undefined, spared);
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
