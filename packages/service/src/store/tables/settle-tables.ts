import { integer, integerOrNull, json, text, textOrNull } from '../database.ts';
import type { CrowdRow } from '../settle/crowd.ts';
import type { DeviceRow } from '../settle/device.ts';
import type { InboxRow } from '../settle/inbox.ts';
import type { NewcomersRow } from '../settle/newcomers.ts';
import { tableOf } from '../table-of.ts';

// The tables that `settle` writes. Each back end reads and writes them with SQL of its own.

export const RATE_BUCKET = tableOf('rate_bucket', {
  projectId: text,
  lane: text,
  second: integer,
  count: integer,
  lastAt: integer,
  counted: integer,
});

export const QUOTA = tableOf('quota', { projectId: text, month: text, used: integer });

export const DEVICE = tableOf('device', {
  projectId: text,
  device: text,
  inboxes: json<DeviceRow['inboxes']>,
  oldestDay: integer,
});

export const CROWD = tableOf('crowd', {
  projectId: text,
  thing: text,
  since: integer,
  older: integer,
  people: json<CrowdRow['people']>,
  oldestDay: integer,
});

export const NEWCOMERS = tableOf('newcomers', {
  projectId: text,
  since: integer,
  campaignAt: integerOrNull,
  days: json<NewcomersRow['days']>,
});

export const INBOX = tableOf('inbox', {
  projectId: text,
  inbox: text,
  spelling: text,
  lastSeen: integer,
  otherSpelling: textOrNull,
  otherSeen: integerOrNull,
  claimedFrom: textOrNull,
  otherClaimedFrom: textOrNull,
  firstSeen: integer,
  devices: json<InboxRow['devices']>,
  joinedAt: integerOrNull,
  things: json<InboxRow['things']>,
  oldestDay: integer,
});

/** See `LogRow`. */
export const VALIDATION_LOG = tableOf('validation_log', {
  projectId: text,
  id: text,
  at: integer,
  requestId: text,
  mode: text,
  keyId: text,
  recommendation: text,
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
