import { DAY_MS } from '@postern/contract';
import { readRows } from '../packages/service/src/lists/read-list.ts';
import { MEASURED_AGES, type TimeSplit } from './time-split.ts';

interface Loss {
  readonly days: number;
  readonly share: number;
}

/**
 * What one list alone loses with age, by the first and the last day of each name in castle’s history: of all names that
 * it had on a day, those that it already had this many days before. Every day counts for which the history is long enough.
 */
export function listAlone(): Loss[] {
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

/** The same with every list of the split’s day and the rules, over all splits. */
export function allTogether(splits: readonly TimeSplit[]): Loss[] {
  const measured = splits.flatMap(({ inUse }) => inUse);
  return MEASURED_AGES.map((age) => {
    const ofAge = measured.filter(({ days }) => days === age);
    const sum = (key: 'found' | 'of') => ofAge.reduce((total, one) => total + one[key], 0);
    return { days: age, share: sum('found') / sum('of') };
  });
}

/** The list that health reads. */
export function foundByAgeList(splits: readonly TimeSplit[]): string {
  const rows = allTogether(splits).map(({ days, share }) => `${days}\t${share.toFixed(3)}`);
  return [
    '# Of the throwaway domains in use on a day, the share that data of some age finds: days, share.',
    '# Written by npm run eval -- --write.',
    ...rows,
    '',
  ].join('\n');
}
