import { type ListTier, MAX_SOURCES } from '../lookup/domain-list-format.ts';
import { mergeSources } from './bundled-domains.ts';
import type { DomainSource } from './compile-domains.ts';

/** An archived domain list. */
export interface DomainFeed {
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
export function domainSources(
  feeds: readonly DomainFeed[],
  bundled: readonly DomainSource[],
): { readonly sources: readonly DomainSource[]; readonly spared: ReadonlySet<string> } {
  const spared = new Set<string>();
  const fresh: DomainSource[] = [];
  for (const { name, tier, day, current, earlier } of feeds) {
    if (tier === 'spared') for (const domain of current) spared.add(domain);
    else {
      fresh.push({ name, tier, date: day, domains: current });
      if (earlier.length > 0)
        fresh.push({ name: `${name}-earlier`, tier: 'aggregator', date: day, domains: earlier });
    }
  }
  const sources = mergeSources(fresh, bundled);
  return { sources: sources.length > MAX_SOURCES ? mergeLast(sources) : sources, spared };
}

/** The compiled file can distinguish this many sources. Further ones share a slot with others of their tier. */
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
