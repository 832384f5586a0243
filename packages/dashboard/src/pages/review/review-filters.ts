import { DAY_MS } from '@postern/contract';
import type { Params } from '../../api/client.ts';
import { type Filters, queryOf, readFilters } from '../validations/filters.ts';

/** The filters of the queue: those of the log, and how long a sign-up has been waiting. `open` is the selected one. */
export interface ReviewFilters extends Filters {
  /** Waiting for longer than this: a name of `AGES`. */
  age?: string;
  /** Only what the member passed on. */
  passed?: string;
}

export const AGES: Readonly<Record<string, { readonly name: string; readonly ms: number }>> = {
  day: { name: 'Over a day old', ms: DAY_MS },
  'three-days': { name: 'Over 3 days old', ms: 3 * DAY_MS },
  week: { name: 'Over a week old', ms: 7 * DAY_MS },
};

export function readReviewFilters(search: Record<string, unknown>): ReviewFilters {
  const { recommendation: _recommendation, mode: _mode, ...filters } = readFilters(search);
  const { age, passed } = search;
  return {
    ...filters,
    ...(typeof age === 'string' && Object.hasOwn(AGES, age) && { age }),
    ...(String(passed) === '1' && { passed: '1' }),
  };
}

/** What the service is asked. */
export function reviewQueryOf({ age, passed, ...filters }: ReviewFilters, now: number): Params {
  const query = queryOf(filters, now);
  const oldest = age === undefined ? undefined : AGES[age];
  return { ...query, passed, ...(oldest !== undefined && { to: now - oldest.ms }) };
}
