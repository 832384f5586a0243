import { HISTORY_FACTS } from '../../../model/history.ts';

/**
 * ASCII’s own separators, of what a batch sends to `postern_settle_1`. JSON escapes them and hashes have none, so the
 * long texts are sent unchanged. Quoting them here and unquoting them there would cost more than everything else.
 */
export const STATE = '\x1c';
export const WAVE = '\x1d';
export const REQUEST = '\x1e';
export const FIELD = '\x1f';
export const SEPARATORS = [STATE, WAVE, REQUEST, FIELD] as const;

/** The fields of a run: requests in a row that are counted alike. */
export const RUN_FIELDS = [
  'key',
  'keyVersion',
  'projectVersion',
  'lane',
  'live',
  'counts',
  'validates',
  'size',
  'quotaLimit',
  /** The visitor’s lanes of each request, with dots between them and commas between requests; empty if there are none. */
  'visitors',
] as const;

/** The fields of a request in a wave. An empty one is NULL. */
export const REQUEST_FIELDS = [
  'order',
  'run',
  'place',
  'live',
  'now',
  'key',
  'inbox',
  'spelling',
  'isClaim',
  'claimNetwork',
  'confirmedOnly',
  'device',
  'network',
  'threshold',
  'common',
  'flagClaims',
  'mistyped',
  'recommendations',
  'id',
  'at',
  'requestId',
  'domain',
  'shape',
  'maskedIp',
  'country',
  'asn',
  'rules',
  'lists',
  'words',
  'details',
  ...HISTORY_FACTS,
] as const;

/** A field in SQL: of the array `f`, which counts from 1. */
export const runField = (name: (typeof RUN_FIELDS)[number]) => `f[${RUN_FIELDS.indexOf(name) + 1}]`;
export const requestField = (name: (typeof REQUEST_FIELDS)[number]) =>
  `f[${REQUEST_FIELDS.indexOf(name) + 1}]`;

export const separator = (text: (typeof SEPARATORS)[number]) => `chr(${text.charCodeAt(0)})`;
