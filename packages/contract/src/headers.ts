interface HeaderRow {
  readonly on: 'request' | 'response';
  readonly meaning: string;
}

/** The headers of the API. Each name is spelled as it is sent. */
export const HEADERS = {
  Authorization: { on: 'request', meaning: '`Bearer <API_KEY>`; the scheme’s case does not matter.' },
  'X-Project-Id': { on: 'request', meaning: 'The project that the key belongs to.' },
  'Idempotency-Key': {
    on: 'request',
    meaning:
      'Optional, 1 to 255 visible ASCII characters. A repeat with the same key, project and body within 24 hours gets the first answer again and is counted once.',
  },
  'Accept-Language': {
    on: 'request',
    meaning: 'With client keys: the language of `message`. The body’s `locale` takes precedence.',
  },
  'X-Quota-Limit': {
    on: 'response',
    meaning:
      'Validations that this key may use this month; for a client key without the reserve for server keys.',
  },
  'X-Quota-Used': { on: 'response', meaning: 'Validations used this month, this one included.' },
  'X-Quota-Remaining': { on: 'response', meaning: 'Validations left this month.' },
  'X-Quota-Reset': { on: 'response', meaning: 'First instant of next month, ISO 8601 in UTC.' },
  'X-RateLimit-Limit': {
    on: 'response',
    meaning:
      'Requests that the project may make in an hour with this key type. On a 429 the limit that applied, which can be the visitor’s own.',
  },
  'X-RateLimit-Remaining': { on: 'response', meaning: 'Requests left in the sliding hour.' },
  'X-RateLimit-Reset': {
    on: 'response',
    meaning: 'Unix time in seconds from which the whole limit is free again.',
  },
  'Retry-After': {
    on: 'response',
    meaning: 'On 409, 429 and 503: seconds to wait. On 429 equal to the body’s `retryAfter`.',
  },
  'X-Request-Id': {
    on: 'response',
    meaning:
      'Names this request in the log. If the request has an ID of 1 to 64 letters, digits, `-`, `_` or `.`, it is echoed.',
  },
  'X-Error-Code': {
    on: 'response',
    meaning: 'On every error: its code in the table of errors, which stays when the wording changes.',
  },
  'WWW-Authenticate': { on: 'response', meaning: 'On 401: `Bearer`.' },
  Allow: { on: 'response', meaning: 'On 405: the methods that the path has.' },
  'Idempotency-Replayed': {
    on: 'response',
    meaning: '`true` if this is a replay of the first answer to this `Idempotency-Key`.',
  },
  'Content-Language': { on: 'response', meaning: 'On 200 with a `message`: the language that it is in.' },
  Prefer: {
    on: 'request',
    meaning:
      'Optional. With `verdict`, the answer to a server key has `X-Postern-Verdict` too. Client keys always get it. With `no-challenge`, a flag asks the person for nothing.',
  },
  'X-Postern-Verdict': {
    on: 'response',
    meaning:
      'On 200: the answer as a signed token (JWS, EdDSA). For client keys, and for server keys that send `Prefer: verdict`.',
  },
  'X-Postern-Open': {
    on: 'response',
    meaning:
      'Only of hooks: the person was allowed without being judged, and why: `quota`, `rate`, `store`, `time` or `fault`.',
  },
} as const;
HEADERS satisfies Record<string, HeaderRow>;

export type HeaderName = keyof typeof HEADERS;

/** Where the limits stand. Every answer has them once its caller was admitted. */
export const LIMIT_HEADERS = [
  'X-Quota-Limit',
  'X-Quota-Used',
  'X-Quota-Remaining',
  'X-Quota-Reset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;
LIMIT_HEADERS satisfies readonly HeaderName[];
export type LimitHeader = (typeof LIMIT_HEADERS)[number];

export const VALIDATE_PATHS = ['/validate', '/v1/validate'] as const;
/** Where the script of a page says that it found no form. */
export const PAGE_REPORTS_PATH = '/v1/page-reports';

/** What a page may send, for the preflight’s answer. */
export const CORS_ALLOWED_HEADERS =
  'Authorization, Content-Type, X-Project-Id, X-Request-Id, Idempotency-Key';

/** What a page’s script may read. */
export const CORS_EXPOSED_HEADERS: string = [
  ...LIMIT_HEADERS,
  'Retry-After',
  'X-Request-Id',
  'X-Error-Code',
  'X-Postern-Verdict',
  'Idempotency-Replayed',
].join(', ');
