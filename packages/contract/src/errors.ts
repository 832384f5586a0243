/**
 * Every error the API can answer with. The row's name is sent as `X-Error-Code`, never in the body; `label` is the
 * category name, which is not sent. Documents, OpenAPI and SDKs read this table.
 */
interface ErrorRow {
  readonly status: number;
  readonly label: string;
  /** The text of `error`; `<…>` marks a part that the request fills in. */
  readonly text: string;
  readonly when: string;
  /** What the caller can do about it. */
  readonly fix: string;
}

export const API_ERRORS = {
  EMAIL_REQUIRED: {
    status: 400,
    label: 'INVALID_EMAIL',
    text: 'Email address is required',
    when: '`email` is missing, not a string, or empty after trimming.',
    fix: 'Send the address as a string in `email`.',
  },
  EMAIL_MALFORMED: {
    status: 400,
    label: 'INVALID_EMAIL',
    text: 'Invalid email format',
    when: '`email` is not an address by RFC 5321 and RFC 6531.',
    fix: 'Ask the person to correct the address.',
  },
  BODY_NOT_JSON: {
    status: 400,
    label: 'INVALID_REQUEST',
    text: 'Request body must be valid JSON',
    when: 'The body is empty, not JSON, or JSON but not an object.',
    fix: 'Send a JSON object.',
  },
  FIELD_INVALID: {
    status: 400,
    label: 'INVALID_REQUEST',
    text: '<field> <what it must be>',
    when: 'An optional field has the wrong type or value; the text names the field.',
    fix: 'Correct or leave out the named field.',
  },
  PROJECT_ID_MISSING: {
    status: 400,
    label: 'MISSING_PROJECT_ID',
    text: 'X-Project-Id header is required',
    when: 'The `X-Project-Id` header is absent or blank.',
    fix: 'Send the project’s ID in `X-Project-Id`.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    label: 'INVALID_REQUEST',
    text: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
    when: 'The `Idempotency-Key` header is empty, too long, or has spaces or other characters.',
    fix: 'Send a random value, such as a UUID, that is the same for each retry of one request.',
  },
  MALFORMED_HTTP: {
    status: 400,
    label: 'INVALID_REQUEST',
    text: 'Malformed HTTP request',
    when: 'The bytes on the connection are not an HTTP request.',
    fix: 'Use an HTTP client.',
  },
  HOST_INVALID: {
    status: 400,
    label: 'INVALID_REQUEST',
    text: 'Exactly one Host header is required',
    when: 'An HTTP/1.1 request has no `Host` header, an empty one, or more than one.',
    fix: 'Send one `Host` header; every HTTP client does.',
  },
  KEY_INVALID: {
    status: 401,
    label: 'UNAUTHORIZED',
    text: 'Invalid API key',
    when: 'The key is missing, malformed, unknown, revoked or expired.',
    fix: 'Send `Authorization: Bearer <key>` with a live key of the project.',
  },
  SERVER_KEY_IN_BROWSER: {
    status: 401,
    label: 'INVALID_KEY_TYPE',
    text: 'Server keys cannot be used in browsers',
    when: 'A server key came with an `Origin`, a `Referer` or a browser’s `User-Agent`.',
    fix: 'Use a client key in pages; keep server keys in backends.',
  },
  HOOK_SIGNATURE_INVALID: {
    status: 401,
    label: 'UNAUTHORIZED',
    text: 'Invalid signature',
    when: 'A call of a hook has no valid signature or secret, is more than five minutes old, or was answered before.',
    fix: 'Give the sign-in server the hook’s secret; rotate the hook if it is lost.',
  },
  QUOTA_EXCEEDED: {
    status: 402,
    label: 'QUOTA_EXCEEDED',
    text: 'Monthly validation quota exceeded',
    when: 'The project has used this month’s validations, or with a client key all but the reserve for server keys.',
    fix: 'Wait for `resetAt`, or raise the project’s plan or limit.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    label: 'DOMAIN_NOT_ALLOWED',
    text: "Origin '<origin>' not in allowed domains",
    when: 'A client key came from an origin outside the project’s allowed domains.',
    fix: 'Add the origin to the project’s allowed domains.',
  },
  ORIGIN_MISSING: {
    status: 403,
    label: 'DOMAIN_NOT_ALLOWED',
    text: 'Origin not in allowed domains list',
    when: 'A client key came without an `Origin` header.',
    fix: 'Call from a page or an app SDK, or use a server key.',
  },
  PROJECT_FORBIDDEN: {
    status: 403,
    label: 'PROJECT_NOT_FOUND',
    text: 'Project not found or API key lacks access',
    when: 'The project does not exist, is archived, or the key belongs to another one.',
    fix: 'Send the ID of the project that the key was made for.',
  },
  SERVER_KEY_REQUIRED: {
    status: 403,
    label: 'FORBIDDEN',
    text: 'This endpoint needs a server key',
    when: 'A client key was sent to an endpoint for backends, such as `POST /v1/outcomes`.',
    fix: 'Call it from a backend with a server key.',
  },
  NOT_FOUND: {
    status: 404,
    label: 'NOT_FOUND',
    text: 'Not found',
    when: 'No such path.',
    fix: 'See /docs for the available paths.',
  },
  CHALLENGE_UNKNOWN: {
    status: 404,
    label: 'NOT_FOUND',
    text: 'Challenge not found',
    when: 'There is no such challenge, or it belongs to another project, to another type of key or to another address.',
    fix: 'Send the ID of `challenge` with the project and the type of key that got it; for a new code also the same address.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    label: 'METHOD_NOT_ALLOWED',
    text: 'Method not allowed',
    when: 'The path exists, but not with this method; `Allow` lists those it has.',
    fix: 'Use one of the methods in `Allow`.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    label: 'REQUEST_TIMEOUT',
    text: 'Request took too long to arrive',
    when: 'Headers or body did not arrive in time.',
    fix: 'Send the request again.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    label: 'CONFLICT',
    text: 'A request with this Idempotency-Key is still under way',
    when: 'The first request with this `Idempotency-Key` has no answer yet.',
    fix: 'Retry after the seconds in `Retry-After`.',
  },
  CHALLENGE_USED: {
    status: 409,
    label: 'CONFLICT',
    text: 'Challenge was already used',
    when: 'The challenge was passed before, or its tries are used up.',
    fix: 'Validate the address again; the flag asks anew.',
  },
  CHALLENGE_EXPIRED: {
    status: 410,
    label: 'EXPIRED',
    text: 'Challenge has expired',
    when: 'The challenge is more than ten minutes old.',
    fix: 'Validate the address again; the flag asks anew.',
  },
  BODY_TOO_LARGE: {
    status: 413,
    label: 'BODY_TOO_LARGE',
    text: 'Request body exceeds 16 KiB',
    when: 'The body is larger than 16 KiB.',
    fix: 'Send only the documented fields.',
  },
  ENCODING_UNSUPPORTED: {
    status: 415,
    label: 'ENCODING_UNSUPPORTED',
    text: 'Request body must not be compressed',
    when: 'The request has a `Content-Encoding` other than `identity`.',
    fix: 'Send the body as plain JSON, without `Content-Encoding`.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    label: 'IDEMPOTENCY_KEY_REUSED',
    text: 'Idempotency-Key was used with another request body',
    when: 'The project sent the same `Idempotency-Key` with another body within 24 hours.',
    fix: 'Use a new key for each new request.',
  },
  RATE_LIMITED: {
    status: 429,
    label: 'RATE_LIMITED',
    text: 'Too many requests',
    when: 'The project’s hourly limit for this key type is used up, or with a client key the visitor’s own.',
    fix: 'Wait `retryAfter` seconds, then retry with exponential backoff.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    label: 'HEADERS_TOO_LARGE',
    text: 'Request header fields too large',
    when: 'The request’s headers are over 16 KiB.',
    fix: 'Send fewer or shorter headers.',
  },
  INTERNAL: {
    status: 500,
    label: 'INTERNAL_ERROR',
    text: 'An internal error occurred',
    when: 'An unexpected fault; no quota is consumed. The log has the details under the request ID.',
    fix: 'Retry with exponential backoff, at most three times.',
  },
  UNAVAILABLE: {
    status: 503,
    label: 'UNAVAILABLE',
    text: 'Service temporarily unavailable',
    when: 'The store cannot be reached, or the service is overloaded or shutting down.',
    fix: 'Retry after the seconds in `Retry-After`.',
  },
} as const;
API_ERRORS satisfies Record<string, ErrorRow>;

export type ErrorName = keyof typeof API_ERRORS;

/** The extra fields of a 402. */
export interface QuotaFacts {
  limit: number;
  used: number;
  remaining: number;
  /** The first instant of next month, ISO 8601 in UTC. */
  resetAt: string;
}

/** The extra fields of a 429. */
export interface RateFacts {
  limit: number;
  window: '1h';
  /** Seconds after which one more request would be admitted. */
  retryAfter: number;
}

export interface ErrorBody {
  error: string;
}
export type QuotaErrorBody = ErrorBody & QuotaFacts;
export type RateErrorBody = ErrorBody & RateFacts;

/** A refusal as a value: what an expected "no" is inside the service, before it becomes bytes. */
export interface ApiError {
  readonly name: ErrorName;
  readonly status: number;
  readonly body: ErrorBody | QuotaErrorBody | RateErrorBody;
}

/** The refusal `name`; `text` replaces the table's text where the request fills a part in. */
export function apiError(name: ErrorName, text?: string): ApiError {
  const row = API_ERRORS[name];
  return { name, status: row.status, body: { error: text ?? row.text } };
}

export function originNotAllowed(origin: string): ApiError {
  return apiError('ORIGIN_NOT_ALLOWED', `Origin '${origin}' not in allowed domains`);
}

export function fieldInvalid(field: string, must: string): ApiError {
  return apiError('FIELD_INVALID', `${field} ${must}`);
}

/** What a reader of a body says of a field. */
export function refusedField(field: string, must: string): { readonly ok: false; readonly error: ApiError } {
  return { ok: false, error: fieldInvalid(field, must) };
}

export function quotaExceeded(facts: QuotaFacts): ApiError {
  const { status, text } = API_ERRORS.QUOTA_EXCEEDED;
  return { name: 'QUOTA_EXCEEDED', status, body: { error: text, ...facts } };
}

export function rateLimited(limit: number, retryAfter: number): ApiError {
  const { status, text } = API_ERRORS.RATE_LIMITED;
  return { name: 'RATE_LIMITED', status, body: { error: text, limit, window: '1h', retryAfter } };
}
