import type { Recommendation } from '@postern/contract';
import type { KeyMode } from '../../model/api-key.ts';
import { integer, integerOrNull, json, text, textOrNull } from '../columns.ts';
import { tableOf } from '../table-of.ts';

// The tables that `settle` writes. Each back end reads and writes them with SQL of its own. `oldestDay` is the day on
// which the oldest part was last seen: by it the sweep finds what is to be forgotten.

export const RATE_BUCKET = tableOf('rate_bucket', {
  projectId: text,
  lane: text,
  second: integer,
  count: integer,
  lastAt: integer,
  counted: integer,
});

export const QUOTA = tableOf('quota', { projectId: text, month: text, used: integer });

/** Facts about a person that take one letter or digit each: their places in the lists, and the sum of `MARKS`. */
export type PersonFacts = readonly [mail: number, browser: number, marks: number];

/**
 * An inbox that a device brought. `blocked`: every answer was `block`. `confirmed`: a backend asked about it or accepted
 * it; otherwise only client keys say so. `network` is the first one that is known, and the rest is what was first known.
 */
export type InboxOfDevice = readonly [
  inbox: string,
  firstSeen: number,
  lastSeen: number,
  count: number,
  blocked: 0 | 1,
  confirmed: 0 | 1,
  network: string | null,
  domain: string,
  ...facts: PersonFacts,
];

export const DEVICE = tableOf('device', {
  projectId: text,
  device: text,
  /** At most `MAX_OF_DEVICE`. */
  inboxes: json<readonly InboxOfDevice[]>,
  oldestDay: integer,
});

/** Hashes are cut: they are only compared with those of the same list. */
export type PersonOfCrowd = readonly [
  minute: number,
  inbox: string,
  network: string,
  device: string,
  domain: string,
  ...facts: PersonFacts,
];

/** Who came to the project first with a domain, a mail host or a network: the newest 200, and the newest 200 confirmed. */
export const CROWD = tableOf('crowd', {
  projectId: text,
  /** The letter of its kind and a keyed hash. */
  thing: text,
  /** When the first person came. */
  since: integer,
  /** How many came more than a month ago and were part of no crowd. */
  older: integer,
  people: json<readonly PersonOfCrowd[]>,
  oldestDay: integer,
});

export type DayOfNewcomers = readonly [day: number, byMail: number[], byBrowser: number[], rented: number[]];

/** How many people were new to the project on each of the last 30 days, with which browsers and which kind of mail. */
export const NEWCOMERS = tableOf('newcomers', {
  projectId: text,
  since: integer,
  /** When a campaign was last under way. */
  campaignAt: integerOrNull,
  /** The oldest first; the numbers are in the order of the lists. `rented`: rented domains that got their first, second and third person. */
  days: json<readonly DayOfNewcomers[]>,
});

/**
 * What is remembered of an inbox: the last spelling, and the last other one that a backend confirmed, or else was seen.
 */
export const INBOX = tableOf('inbox', {
  projectId: text,
  inbox: text,
  spelling: text,
  lastSeen: integer,
  otherSpelling: textOrNull,
  otherSeen: integerOrNull,
  /** The network from which a client key claimed it, `''` if that is not known; `null` once a backend confirmed it. */
  claimedFrom: textOrNull,
  otherClaimedFrom: textOrNull,
  firstSeen: integer,
  devices: json<readonly (readonly [device: string, lastSeen: number])[]>,
  /** When it was counted as new to the project, and the crowds that list it since then; `null` while it was only blocked. */
  joinedAt: integerOrNull,
  things: json<readonly string[]>,
  oldestDay: integer,
});

/** See `LogRow`. */
export const VALIDATION_LOG = tableOf('validation_log', {
  projectId: text,
  id: text,
  at: integer,
  requestId: text,
  mode: text<KeyMode>,
  keyId: text,
  recommendation: text<Recommendation>,
  inbox: text,
  device: textOrNull,
  domain: text,
  shape: textOrNull,
  network: textOrNull,
  country: textOrNull,
  asn: integerOrNull,
  rules: text,
  lists: text,
  words: text,
  /** JSON, as are the next two. */
  history: text,
  checks: text,
  details: text,
  review: textOrNull,
  steppedUp: textOrNull,
});

export const STATISTICS = tableOf('statistics', { projectId: text, at: integer, counts: text });

export const STATISTICS_CHANGE = tableOf('statistics_change', {
  projectId: text,
  id: text,
  at: integer,
  lines: text,
});
