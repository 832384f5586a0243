import { type ListTier, MAX_SOURCES } from '../lookup/domain-list-format.ts';
import { mergeSources } from './bundled-domains.ts';
import type { DomainSource } from './compile-domains.ts';

/** A domain list as it is archived. */
export interface DomainFeed {
  readonly name: string;
  readonly tier: ListTier | 'spared';
  /** ISO 8601. */
  readonly day: string;
  /** What its newest file names. */
  readonly named: readonly string[];
  /** What only earlier files named. */
  readonly kept: readonly string[];
}

/**
 * What is compiled: feeds, and bundled lists that no feed of the same name replaces. What a feed no longer names is
 * weaker evidence than what it names: it counts as an aggregator’s, so that no removal leaves a domain at `high`.
 */
export function domainSources(
  feeds: readonly DomainFeed[],
  bundled: readonly DomainSource[],
): { readonly sources: readonly DomainSource[]; readonly spared: ReadonlySet<string> } {
  const spared = new Set<string>();
  const fresh: DomainSource[] = [];
  for (const { name, tier, day, named, kept } of feeds) {
    if (tier === 'spared') for (const domain of named) spared.add(domain);
    else {
      fresh.push({ name, tier, date: day, domains: named });
      if (kept.length > 0)
        fresh.push({ name: `${name}-earlier`, tier: 'aggregator', date: day, domains: kept });
    }
  }
  const sources = mergeSources(fresh, bundled);
  return { sources: sources.length > MAX_SOURCES ? mergeLast(sources) : sources, spared };
}

/** The compiled file tells so many sources apart. Those beyond share a place with others of their tier. */
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
