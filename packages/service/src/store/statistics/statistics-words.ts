import type { DomainClass } from '../../model/domain-class.ts';

/**
 * Statistics are kept for each half hour, so that the days of every time zone can be added up from them, except where
 * clocks differ from UTC by a quarter of an hour (Nepal, Chatham, Eucla): there a half hour counts for the day in which
 * it begins.
 */
export const SLOT_MS = 30 * 60 * 1_000;

export const slotOf = (at: number): number => Math.floor(at / SLOT_MS) * SLOT_MS;

/** What is counted of a validation besides what its log row shows. */
export interface StatisticsFacts {
  /** The checks that ran, with commas between them. */
  readonly ran: string;
  readonly domainClass: DomainClass;
  readonly country?: string | undefined;
  readonly asn?: number | undefined;
  /** The name of the network with that number. */
  readonly network?: string | undefined;
}

interface CountedRecord {
  readonly domain: string;
  readonly latencyMs: number;
  readonly statistics: StatisticsFacts;
}

/**
 * What the statistics count of a validation, as words of its log row’s marks. They stand after everything about the
 * person, and `domain:` is the first: a back end takes the words from there on. Words that differ from request to
 * request come first. From `class:` on, many requests have the same words, which are then counted together.
 */
export function countedMarks(keyId: string, { domain, statistics, latencyMs }: CountedRecord): string {
  const { ran, domainClass, country, asn, network } = statistics;
  let marks = `domain:${domain} ms:${latencyStep(latencyMs)} `;
  if (country !== undefined) marks += `country:${country} `;
  if (asn !== undefined) marks += `asn:${asn}/${networkWord(network ?? '')} `;
  return `${marks}class:${domainClass} ran:${ran} key:${keyId} `;
}

const FIRST_COUNTED = ' domain:';
export const FIRST_SHARED = ' class:';
/** Many validations have the same words from here on: the key, and what the checks found. */
export const RESULTS_START = ' key:';

/** The line that a validation adds to the statistics. */
export function validationLine(recommendation: string, marks: string): string {
  return `1 ${recommendation}${marks.slice(marks.indexOf(FIRST_COUNTED))}`;
}

const MAX_NETWORK_NAME = 40;

function networkWord(name: string): string {
  return name.slice(0, MAX_NETWORK_NAME).replaceAll(' ', '_');
}

/** Latencies are counted in steps of a fourth root of two, so that a percentile is off by less than a tenth. */
const STEPS_A_DOUBLING = 4;
const SHORTEST_MS = 1 / 16;

export function latencyStep(ms: number): number {
  return Math.round(STEPS_A_DOUBLING * Math.log2(Math.max(ms, SHORTEST_MS) / SHORTEST_MS));
}

export function latencyOfStep(step: number): number {
  return SHORTEST_MS * 2 ** (step / STEPS_A_DOUBLING);
}
