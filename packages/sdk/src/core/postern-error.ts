import type { API_ERRORS, ErrorName, QuotaFacts } from '@postern/contract';

type ServiceLabel = (typeof API_ERRORS)[ErrorName]['label'];
type PlainLabel = Exclude<ServiceLabel, 'QUOTA_EXCEEDED' | 'RATE_LIMITED' | 'UNAVAILABLE' | 'CONFLICT'>;

/** What went wrong. `label` identifies the error. `status` is 0 if there was no answer. */
export type PosternFailure =
  | { readonly label: PlainLabel; readonly status: number }
  | ({ readonly label: 'QUOTA_EXCEEDED'; readonly status: 402 } & Readonly<QuotaFacts>)
  | {
      readonly label: 'RATE_LIMITED';
      readonly status: 429;
      /** Seconds after which one more request would be admitted. */
      readonly retryAfter: number;
      /** `null` if something other than the service answered, such as a proxy. */
      readonly limit: number | null;
      readonly window: string | null;
    }
  | {
      readonly label: 'UNAVAILABLE' | 'CONFLICT';
      readonly status: number;
      readonly retryAfter: number | null;
    }
  /** No answer: offline, connection refused, or an answer that CORS hides from the page. */
  | { readonly label: 'UNREACHABLE'; readonly status: 0 }
  | { readonly label: 'TIMEOUT'; readonly status: 0 }
  | { readonly label: 'ABORTED'; readonly status: 0 }
  /** Not asked, because the last calls failed. `retryAfter`: seconds until the next one is tried. */
  | { readonly label: 'SUSPENDED'; readonly status: 0; readonly retryAfter: number }
  /** An answer that is not the service’s own: a proxy’s page, a wrong base URL. */
  | { readonly label: 'UNEXPECTED_ANSWER'; readonly status: number };

/**
 * Who has to act. `outage`: it ends by itself. `misconfiguration`: the developer (key, project, origin, URL).
 * `exhaustion`: the operator (quota, rate). `request`: only this request was refused or aborted.
 */
export type FailureKind = 'outage' | 'misconfiguration' | 'exhaustion' | 'request';

export type PosternError = Error & {
  readonly name: 'PosternError';
  readonly kind: FailureKind;
  readonly requestId: string | null;
  /** The service’s name for the error, such as `EMAIL_MALFORMED`; `null` if it did not answer. It stays when texts change. */
  readonly code: ErrorName | (string & {}) | null;
} & PosternFailure;

export function posternError(
  message: string,
  failure: PosternFailure,
  origin: { requestId?: string | null; code?: string | null; cause?: unknown } = {},
): PosternError {
  const error = new Error(message, 'cause' in origin ? { cause: origin.cause } : {});
  return Object.assign(error, {
    name: 'PosternError' as const,
    kind: kindOf(failure),
    requestId: origin.requestId ?? null,
    code: origin.code ?? null,
    ...failure,
  });
}

/** Compares the name, not the class, so that it works with two copies of this package in one program. */
export function isPosternError(value: unknown): value is PosternError {
  return value instanceof Error && value.name === 'PosternError' && 'label' in value;
}

function kindOf({ label, status }: PosternFailure): FailureKind {
  if (label === 'QUOTA_EXCEEDED' || label === 'RATE_LIMITED') return 'exhaustion';
  // Also if a proxy answered: then the base URL is wrong, or the proxy requires a password.
  if ([401, 403, 404, 405].includes(status) || label === 'MISSING_PROJECT_ID') return 'misconfiguration';
  const outage =
    label === 'UNREACHABLE' ||
    label === 'TIMEOUT' ||
    label === 'SUSPENDED' ||
    label === 'UNEXPECTED_ANSWER' ||
    status === 408 ||
    // The first try of the same request is still under way.
    label === 'CONFLICT' ||
    status >= 500;
  return outage ? 'outage' : 'request';
}
