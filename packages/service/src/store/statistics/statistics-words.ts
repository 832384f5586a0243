import { STATISTICS_STEP_MS } from '@postern/contract/dashboard';
import { BoundedMap } from '../../model/bounded-map.ts';
import { getOrMake } from '../../model/get-or-make.ts';
import type { LogRecord } from '../submission.ts';

/**
 * Statistics are kept for each half hour, so that the days of every time zone can be added up from them, except where
 * clocks differ from UTC by a quarter of an hour (Nepal, Chatham, Eucla): there a day begins with the half hour that
 * midnight is in.
 */
export const SLOT_MS = STATISTICS_STEP_MS;

export const slotOf = (at: number): number => Math.floor(at / SLOT_MS) * SLOT_MS;

/**
 * What the statistics count of a validation beside its columns, as the first words of its log row. Words that differ
 * from request to request come first. From `class:` on, many requests have the same words, which are then counted
 * together.
 */
export function countedWords({ ran, domainClass, asn, facts }: LogRecord): string {
  const from = asn === null ? '' : `asn:${asn}/${networkWord(facts.operator)} `;
  return ` ${from}event:${facts.event} class:${domainClass} ran:${ran} `;
}

export const FIRST_SHARED = ' class:';

/** The columns of a log row that are counted, with the words in front of their values. */
export interface CountedRow {
  readonly recommendation: string;
  readonly domain: string;
  readonly country: string | null;
  readonly keyId: string;
  readonly words: string;
  readonly rules: string;
  readonly lists: string;
}

/** The line that a validation adds to the statistics. */
export function validationLine(row: CountedRow): string {
  const country = row.country === null ? '' : ` country:${row.country}`;
  return `1 ${row.recommendation} domain:${row.domain}${country}${row.words}key:${row.keyId}${row.rules}${row.lists}`;
}

const MAX_NETWORK_NAME = 40;

/** There are far more people than operators. */
const networkWords = new BoundedMap<string, string>(4_096);

function networkWord(name: string): string {
  return getOrMake(networkWords, name, () => name.slice(0, MAX_NETWORK_NAME).replaceAll(' ', '_'));
}

/** Latencies are counted in steps of a fourth root of two, so that a percentile is off by less than a tenth. */
const STEPS_PER_DOUBLING = 4;
const SHORTEST_MS = 1 / 16;

export function latencyStep(ms: number): number {
  return Math.round(STEPS_PER_DOUBLING * Math.log2(Math.max(ms, SHORTEST_MS) / SHORTEST_MS));
}

export function latencyOfStep(step: number): number {
  return SHORTEST_MS * 2 ** (step / STEPS_PER_DOUBLING);
}
