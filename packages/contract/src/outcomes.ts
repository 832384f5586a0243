import { refusedField } from './errors.ts';
import { type Read, readBody } from './validate-request.ts';

export const OUTCOMES_PATH = '/v1/outcomes';

export const OUTCOMES = ['accepted', 'good', 'bad'] as const;
/** What became of a person: signed up, proved to be a real customer, or turned out to be fraud. */
export type Outcome = (typeof OUTCOMES)[number];

export const MAX_OUTCOMES = 100;
export const MAX_OUTCOME_REASON = 64;
/** A hundred outcomes with long addresses fit; `POST /validate` keeps its own, smaller limit. */
export const MAX_OUTCOMES_BODY_BYTES: number = 128 * 1024;
/** Clocks differ a little; a time further ahead than this is a mistake. */
const MAX_AHEAD_MS = 5 * 60_000;

/** One line of `POST /v1/outcomes` as a caller writes it; it names the person by `requestId` or by `email`. */
export interface OutcomeRequest {
  requestId?: string | null | undefined;
  email?: string | null | undefined;
  outcome: Outcome;
  reason?: string | null | undefined;
  /** ISO 8601; now, when absent. */
  at?: string | null | undefined;
}

export interface OutcomesResponse {
  /** How many of the outcomes belong to people this project has validated. */
  recorded: number;
  /** The indexes of those that belong to no person it knows. */
  unknown: number[];
}

/** One outcome after it was read. */
export interface ReadOutcome {
  readonly requestId?: string;
  readonly email?: string;
  readonly outcome: Outcome;
  readonly reason?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Reads a whole body: every outcome is right, or the first fault is answered and nothing is kept. */
export function readOutcomes(text: string, now: number): Read<ReadOutcome[]> {
  const body = readBody(text);
  if (!body.ok) return body;
  const outcomes: unknown = Object.hasOwn(body.value, 'outcomes') ? body.value.outcomes : undefined;
  if (!Array.isArray(outcomes) || outcomes.length === 0 || outcomes.length > MAX_OUTCOMES)
    return refusedField('outcomes', `must be a list of 1 to ${MAX_OUTCOMES} outcomes`);
  const read: ReadOutcome[] = [];
  for (const [index, item] of outcomes.entries()) {
    const one = readOutcome(item, `outcomes[${index}]`, now);
    if (!one.ok) return one;
    read.push(one.value);
  }
  return { ok: true, value: read };
}

/** Reads one outcome; an error calls it `name`, and a field of it `name`, `separator` and the field’s name. */
export function readOutcome(item: unknown, name: string, now: number, separator = '.'): Read<ReadOutcome> {
  const prefix = name + separator;
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return refusedField(name, 'must be an object');
  const texts: Record<string, string> = {};
  for (const field of ['requestId', 'email', 'outcome', 'reason', 'at'] as const) {
    const value: unknown = Object.hasOwn(item, field) ? (item as Record<string, unknown>)[field] : undefined;
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return refusedField(`${prefix}${field}`, 'must be a string');
    texts[field] = value.trim();
  }
  const { requestId = '', email = '', outcome, reason = '', at } = texts;
  if (requestId === '' && email === '') return refusedField(`${prefix}requestId`, 'or email is required');
  const read = OUTCOMES.find((one) => one === outcome);
  if (read === undefined)
    return refusedField(`${prefix}outcome`, `must be ${OUTCOMES.join(', ').replace(/, (\w+)$/, ' or $1')}`);
  if (characters(reason) > MAX_OUTCOME_REASON)
    return refusedField(`${prefix}reason`, `must be at most ${MAX_OUTCOME_REASON} characters`);
  const time = at === undefined ? now : readTime(at);
  if (time !== undefined && time < 0) return refusedField(`${prefix}at`, 'must not be before 1970');
  if (time === undefined || time > now + MAX_AHEAD_MS)
    return refusedField(`${prefix}at`, 'must be an ISO 8601 time that is not in the future');
  return {
    ok: true,
    value: {
      ...(requestId === '' ? {} : { requestId }),
      ...(email === '' ? {} : { email }),
      outcome: read,
      ...(reason === '' ? {} : { reason }),
      at: time,
    },
  };
}

/** Characters as people count them: an emoji is one, although JavaScript’s `length` says two. */
export function characters(text: string): number {
  return [...text].length;
}

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

function readTime(text: string): number | undefined {
  const time = ISO_8601.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) || !isDay(text.slice(0, 10)) ? undefined : time;
}

/** `Date.parse` takes February 30 for March 2. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
