import type { QuotaFacts } from '@postern/contract';

/** The part of `fetch` that the SDKs use, so that every platform’s `fetch` fits. */
export type Fetch = (
  url: string,
  init: {
    method: 'POST' | 'GET' | 'DELETE';
    headers: Record<string, string>;
    body?: string;
    signal: AbortSignal;
    credentials: 'omit';
  },
) => Promise<FetchResponse>;

export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** A response that was read completely, reduced to what the SDK needs. */
export interface HttpAnswer {
  readonly status: number;
  /** The body if it is a JSON object, otherwise `null`. */
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly requestId: string | null;
  /** The name of the error. */
  readonly code: string | null;
  readonly verdict: string | null;
  readonly quota: QuotaFacts | null;
  readonly rate: RateWindow | null;
  /** Seconds, from `Retry-After`. */
  readonly retryAfter: number | null;
}

/** The hourly limit from the headers. */
export interface RateWindow {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds from which the whole limit is free again. */
  readonly reset: number;
}

export async function readAnswer(response: FetchResponse): Promise<HttpAnswer> {
  const { headers, status } = response;
  return {
    status,
    body: jsonObject(await response.text()),
    requestId: headers.get('X-Request-Id'),
    code: headers.get('X-Error-Code'),
    verdict: headers.get('X-Postern-Verdict'),
    quota: readQuota(headers),
    rate: readRate(headers),
    retryAfter: secondsUntil(headers.get('Retry-After')),
  };
}

function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Not JSON, so something other than the service answered.
  }
  return null;
}

function readQuota(headers: FetchResponse['headers']): QuotaFacts | null {
  const limit = integer(headers.get('X-Quota-Limit'));
  const used = integer(headers.get('X-Quota-Used'));
  const remaining = integer(headers.get('X-Quota-Remaining'));
  const resetAt = headers.get('X-Quota-Reset');
  if (limit === null || used === null || remaining === null || resetAt === null) return null;
  return { limit, used, remaining, resetAt };
}

function readRate(headers: FetchResponse['headers']): RateWindow | null {
  const limit = integer(headers.get('X-RateLimit-Limit'));
  const remaining = integer(headers.get('X-RateLimit-Remaining'));
  const reset = integer(headers.get('X-RateLimit-Reset'));
  return limit === null || remaining === null || reset === null ? null : { limit, remaining, reset };
}

/** Seconds, or a date (RFC 9110 section 10.2.3): the service sends seconds, but a proxy may send a date. */
function secondsUntil(text: string | null): number | null {
  const dateMs = Date.parse(text ?? '');
  return (
    integer(text) ?? (Number.isNaN(dateMs) ? null : Math.max(0, Math.ceil((dateMs - Date.now()) / 1000)))
  );
}

function integer(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
