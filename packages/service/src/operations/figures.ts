import { CHECK_NAMES, type CheckName } from '@postern/contract';
import type { Overview, OverviewCounts, OverviewTotals } from '@postern/contract/dashboard';
import { latencyOfStep } from '../store/statistics/statistics-words.ts';
import type { Slot } from '../store/tables/statistics-table.ts';
import { readableDomain } from './readable-domain.ts';

/** The time that figures are about: bars, and the span before that they are compared with. */
export interface Bars {
  readonly starts: readonly number[];
  /** For each bar, whether it is only a part of its hour or day. */
  readonly partial: readonly boolean[];
  readonly to: number;
  readonly previous: { readonly from: number; readonly to: number };
}

type Figures = Pick<
  Overview,
  | 'series'
  | 'totals'
  | 'previous'
  | 'checks'
  | 'signals'
  | 'domains'
  | 'domainClasses'
  | 'countries'
  | 'networks'
  | 'found'
  | 'keys'
  | 'outcomes'
  | 'latencyMs'
  | 'coverage'
>;

const SHOWN = 100;
const COUNTRIES_SHOWN = 250;

/** The one definition of each figure: everything is added up here from the half hours that begin in the time. */
export async function figuresOf(slots: AsyncIterable<readonly Slot[]>, bars: Bars): Promise<Figures> {
  const sums: Sums = new Map();
  const before: Sums = new Map();
  const each: Sums[] = bars.starts.map(() => new Map());
  let bar = 0;
  for await (const portion of slots) {
    for (const { at, counts } of portion) {
      if (at < bars.previous.to && at >= bars.previous.from) addAll(before, counts);
      if (at < (bars.starts[0] ?? 0) || at >= bars.to) continue;
      addAll(sums, counts);
      while (at >= (bars.starts[bar + 1] ?? bars.to)) bar += 1;
      const own = each[bar];
      if (own) addAll(own, counts);
    }
  }
  const series = bars.starts.map((at, index) => ({
    at,
    until: bars.starts[index + 1] ?? bars.to,
    partial: bars.partial[index] ?? false,
    ...countsOf(each[index] ?? new Map()),
  }));
  return {
    series,
    totals: totalsOf(sums),
    previous: { ...bars.previous, totals: totalsOf(before) },
    checks: checksOf(sums, before, each),
    signals: ranked(sums, 'signal').map(([signal, count]) => ({
      signal,
      count,
      previous: before.get(`signal:${signal}`) ?? 0,
      series: each.map((own) => own.get(`signal:${signal}`) ?? 0),
    })),
    ...sharesOf(sums),
    outcomes: {
      accepted: sums.get('outcome:accepted') ?? 0,
      good: sums.get('outcome:good') ?? 0,
      bad: sums.get('outcome:bad') ?? 0,
    },
    latencyMs: latenciesOf(sums),
    coverage: {
      domainsExact: !sums.has('over:domain'),
      networksExact: !sums.has('over:asn'),
    },
  };
}

type Sums = Map<string, number>;

function addAll(sums: Sums, counts: ReadonlyMap<string, number>): void {
  for (const [word, count] of counts) sums.set(word, (sums.get(word) ?? 0) + count);
}

function countsOf(sums: Sums): OverviewCounts {
  const count = (word: string) => sums.get(word) ?? 0;
  return {
    allow: count('allow'),
    flag: count('flag'),
    block: count('block'),
    rateLimited: count('rate-limited'),
    quotaExceeded: count('quota-exceeded'),
  };
}

function totalsOf(sums: Sums): OverviewTotals {
  const counts = countsOf(sums);
  return { validations: counts.allow + counts.flag + counts.block, ...counts };
}

/** What is counted of a kind, most frequent first. */
function ranked(sums: Sums, kind: string): [name: string, count: number][] {
  return [...sums]
    .filter(([word, count]) => word.startsWith(`${kind}:`) && count > 0)
    .map(([word, count]): [string, number] => [word.slice(kind.length + 1), count])
    .sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1));
}

function checksOf(sums: Sums, before: Sums, each: readonly Sums[]): Overview['checks'] {
  const ran = new Map<string, number>();
  for (const [names, count] of ranked(sums, 'ran'))
    for (const name of names.split(',')) ran.set(name, (ran.get(name) ?? 0) + count);
  return CHECK_NAMES.filter((check) => ran.has(check)).map((check: CheckName) => ({
    check,
    ran: ran.get(check) ?? 0,
    failed: sums.get(`check:${check}`) ?? 0,
    previousFailed: before.get(`check:${check}`) ?? 0,
    series: each.map((own) => own.get(`check:${check}`) ?? 0),
  }));
}

function sharesOf(
  sums: Sums,
): Pick<Overview, 'domains' | 'domainClasses' | 'countries' | 'networks' | 'found' | 'keys'> {
  const shares = <T>(kind: string, shown: number, toRow: (name: string) => T) =>
    mostOf(sums, kind, shown).map(({ name, ...share }) => ({ ...toRow(name), ...share }));
  return {
    // The log’s own word for an address literal has a space, at which the statistics end the name.
    domains: shares('domain', SHOWN, (name) => ({
      domain: name === '[address' ? '[address literal]' : name,
      readable: name === '[address' ? '[address literal]' : readableDomain(name),
    })),
    domainClasses: shares('class', SHOWN, (name) => ({
      domainClass: name as Overview['domainClasses'][number]['domainClass'],
    })),
    // All of them, for the map. There are at most 250.
    countries: shares('country', COUNTRIES_SHOWN, (country) => ({ country })),
    networks: shares('asn', SHOWN, (name) => {
      const slash = name.indexOf('/');
      return { asn: Number(name.slice(0, slash)), name: name.slice(slash + 1).replaceAll('_', ' ') };
    }),
    found: { domains: ranked(sums, 'domain').length, networks: ranked(sums, 'asn').length },
    keys: shares('key', SHOWN, (keyId) => ({ keyId })),
  };
}

/** The most frequent and the most often blocked of a kind, most frequent first. */
function mostOf(sums: Sums, kind: string, shown: number) {
  const all = ranked(sums, kind).map(([name, count]) => ({
    name,
    count,
    blocked: Math.min(count, sums.get(`!${kind}:${name}`) ?? 0),
  }));
  const mostBlocked = [...all].sort((one, other) => other.blocked - one.blocked).slice(0, shown);
  const kept = new Set([...all.slice(0, shown), ...mostBlocked.filter(({ blocked }) => blocked > 0)]);
  return all.filter((row) => kept.has(row));
}

function latenciesOf(sums: Sums): Overview['latencyMs'] {
  const steps = ranked(sums, 'ms')
    .map(([step, count]): [number, number] => [Number(step), count])
    .sort(([one], [other]) => one - other);
  const all = steps.reduce((sum, [, count]) => sum + count, 0);
  if (all === 0) return null;
  const percentile = (share: number) => {
    let seen = 0;
    for (const [step, count] of steps) {
      seen += count;
      if (seen >= share * all) return Math.round(latencyOfStep(step) * 100) / 100;
    }
    return 0;
  };
  return { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) };
}
