import { DAY_MS } from '@postern/contract';
import { readRows } from '../lists/read-list.ts';
import type { DomainList } from '../lookup/domain-list.ts';
import type { CurrentData } from './current-data.ts';

export interface DataAge {
  /** The day of the newest content, ISO 8601. */
  readonly day: string;
  readonly days: number;
  /** Whether it is so old that the operator should do something. */
  readonly old: boolean;
}

/** Throwaway domains live for weeks, networks for years. */
const OLD_AFTER_DAYS = { domains: 60, networks: 120 } as const;

/** A shorter list can be the operator’s own, and says nothing about the age of the others. */
const LEAST_ENTRIES = 1_000;

/** The days of the sources of a domain list, as text. */
function daysOfSources({ sources }: Pick<DomainList, 'sources'>): string {
  return sources
    .filter(({ entries }) => entries >= LEAST_ENTRIES)
    .map(({ date }) => date)
    .join(' ');
}

/** The age of data by the newest day in a text, such as a version. `undefined` if it has none. */
export function dataAge(list: keyof typeof OLD_AFTER_DAYS, text: string, now: number): DataAge | undefined {
  const day = text
    .match(/\d{4}-\d{2}-\d{2}/g)
    ?.sort()
    .at(-1);
  if (day === undefined) return undefined;
  const days = Math.max(0, Math.floor((now - Date.parse(day)) / DAY_MS));
  return { day, days, old: days > OLD_AFTER_DAYS[list] };
}

/** The age of a list that is in use. */
export function ageOfData(
  list: keyof typeof OLD_AFTER_DAYS,
  { domainList, ipRanges }: Pick<CurrentData, 'domainList' | 'ipRanges'>,
  now: number,
): DataAge | undefined {
  return dataAge(list, list === 'domains' ? daysOfSources(domainList()) : ipRanges().version, now);
}

export interface Loss {
  /** The age of the data in days. */
  readonly days: number;
  /** Of the throwaway domains in use on a day, the share that data of this age finds, with all lists and rules. */
  readonly share: number;
}

let measured: readonly Loss[] | undefined;

/** What data loses with age. `npm run eval` measures it on castle’s history, and docs/accuracy.md says how. */
export function measuredLoss(): readonly Loss[] {
  measured ??= readRows('domains/found-by-age.tsv').map(([days, share]) => ({
    days: Number(days),
    share: Number(share),
  }));
  return measured;
}

/** The measured age that is nearest below this one. `undefined` for less than a day. */
export function lossAtAge(days: number): Loss | undefined {
  return measuredLoss().findLast((loss) => loss.days <= days);
}
