import { integer, integerOrNull, text, textOrNull } from '../database.ts';
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
  inboxes: integer,
  networks: integer,
  firstSeen: integer,
  lastSeen: integer,
  oldestSeen: integer,
  blocked: integer,
});

export const DEVICE_SIGHTING = tableOf('device_sighting', {
  projectId: text,
  device: text,
  inbox: text,
  firstSeen: integer,
  lastSeen: integer,
  count: integer,
  blocked: integer,
  confirmed: integer,
  network: textOrNull,
});

export const DEVICE_NETWORK = tableOf('device_network', {
  projectId: text,
  device: text,
  network: text,
  lastSeen: integer,
});

export const INBOX = tableOf('inbox', {
  projectId: text,
  inbox: text,
  spelling: text,
  lastSeen: integer,
  otherSpelling: textOrNull,
  otherSeen: integerOrNull,
  keptSince: integer,
  devices: text,
  claimedFrom: textOrNull,
  otherClaimedFrom: textOrNull,
});

/** See `LogRow`. Only `details` and `history` are JSON. */
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
  details: text,
  review: textOrNull,
});

export const STATISTICS = tableOf('statistics', { projectId: text, at: integer, counts: text });

export const STATISTICS_CHANGE = tableOf('statistics_change', {
  projectId: text,
  id: text,
  at: integer,
  lines: text,
});

/** Only in PostgreSQL: the batches of the last hour, so that a batch is never counted twice. */
export const SETTLED_BATCH = tableOf('settled_batch', {
  projectId: text,
  batch: text,
  at: integer,
});
