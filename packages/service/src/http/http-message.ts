import type { ApiError, HeaderName, LimitHeader } from '@postern/contract';
import type { HookCaller } from '../admission/caller.ts';
import type { Limits } from '../admission/limits.ts';
import type { OnGone } from '../lookup/dns/mail-lookup.ts';

/** A request as the handler sees it, without the server’s own types. */
export interface HttpRequest {
  readonly requestId: string;
  /** The remote address of the connection. */
  readonly peer: string;
  /** The value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The path and query, as they were sent. */
  readonly target?: string;
  readonly body: Buffer;
  /** A hook asks, in the words of a validation. */
  readonly hook?: HookCaller;
  /** Absent if the caller cannot go away. */
  readonly onGone?: OnGone;
}

/** The answer to a request. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The recommendation or the error’s name, for log and metrics. */
  readonly label: string;
}

export type AnswerHeaders = Partial<Record<HeaderName, string>>;

export function refusal(error: ApiError, limits?: Limits): HttpResponse {
  const headers: AnswerHeaders = limits === undefined ? {} : limitHeaders(limits);
  headers['X-Error-Code'] = error.name;
  // RFC 9110, section 15.5.2.
  if (error.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if ('retryAfter' in error.body) headers['Retry-After'] = String(error.body.retryAfter);
  return { status: error.status, headers, body: JSON.stringify(error.body), label: error.name };
}

export function limitHeaders({ rate, quota }: Limits): Record<LimitHeader, string> {
  return {
    'X-Quota-Limit': String(quota.limit),
    'X-Quota-Used': String(quota.used),
    'X-Quota-Remaining': String(quota.remaining),
    'X-Quota-Reset': quota.resetAt,
    'X-RateLimit-Limit': String(rate.limit),
    'X-RateLimit-Remaining': String(rate.remaining),
    'X-RateLimit-Reset': String(rate.resetAt),
  };
}
