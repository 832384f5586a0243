import { DAY_MS } from '@postern/contract';
import { readRows } from '../lists/read-list.ts';
import type { DomainList } from '../lookup/domain-list.ts';

export interface DataAge {
  /** The day of the newest content, ISO 8601. */
  readonly day: string;
  readonly days: number;
  /** Whether it is so old that somebody should do something. */
  readonly old: boolean;
}

/** Throwaway domains live for weeks, networks for years. */
const OLD_AFTER_DAYS = { domains: 60, networks: 120 } as const;

/** A shorter list can be the operator’s own, and says nothing about the age of the others. */
const LEAST_ENTRIES = 1_000;

/** The days of the sources of a domain list, as text. */
export function daysOfSources({ sources }: Pick<DomainList, 'sources'>): string {
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

/** The ages for which the loss is told. The history has ten weeks. */
const MEASURED_AGES = [1, 7, 14, 30, 45, 60] as const;

export interface Loss {
  /** The age of a list in days. */
  readonly days: number;
  /** Of the throwaway domains in use on a day, the share that a list of this age has. */
  readonly share: number;
}

let measured: readonly Loss[] | undefined;

/**
 * What a list of throwaway domains loses with age, by the first and the last day of each name in castle’s history: of all
 * names that it had on a day, those that it already had so many days before. Every day counts for which the history is
 * long enough.
 */
export function measuredLoss(): readonly Loss[] {
  measured ??= measure();
  return measured;
}

function measure(): Loss[] {
  const names = readRows('domains/castle-history.tsv').flatMap(([, first, last]) =>
    first === undefined || last === undefined ? [] : [{ first: dayNumber(first), last: dayNumber(last) }],
  );
  const begin = names.reduce((least, { first }) => Math.min(least, first), Number.POSITIVE_INFINITY);
  const end = names.reduce((most, { last }) => Math.max(most, last), 0);
  return MEASURED_AGES.map((days) => {
    let inUse = 0;
    let known = 0;
    for (const { first, last } of names) {
      // The days on which the name was in use and the older list is inside the history.
      inUse += Math.max(0, Math.min(last, end) - Math.max(first, begin + days) + 1);
      known += Math.max(0, Math.min(last, end) - Math.max(first + days, begin + days) + 1);
    }
    return { days, share: known / inUse };
  });
}

const dayNumber = (day: string): number => Math.round(Date.parse(day) / DAY_MS);

/** The measured age that is nearest below this one. `undefined` for less than a day. */
export function lossAtAge(days: number): Loss | undefined {
  return measuredLoss().findLast((loss) => loss.days <= days);
}
