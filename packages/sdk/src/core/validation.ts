import type { QuotaFacts, ValidateResponse } from '@postern/contract';
import { ENGLISH_FORM } from '@postern/contract';
import { withDomain } from './check-locally.ts';
import type { HttpAnswer, RateWindow } from './http-answer.ts';
import type { PosternError } from './postern-error.ts';

/** The service’s answer, with the data from its headers. */
export interface Validation extends ValidateResponse {
  /** Where the recommendation comes from. All but `service` mean that the service did not answer. */
  source: 'service' | 'offline' | 'failOpen' | 'failClosed';
  /** The address with its domain corrected, if the domain looks misspelled. */
  suggestion: string | null;
  /** The signed verdict for the backend; `null` when the service did not answer. */
  verdict: string | null;
  requestId: string | null;
  quota: QuotaFacts | null;
  rate: RateWindow | null;
  /** Why the service did not answer; `null` when it did. */
  failure: PosternError | null;
}

/** The answer as a validation, or `null` if it is not the service’s, for example a captive portal’s page. */
export function validationOf(answer: HttpAnswer, email: string): Validation | null {
  const { body, requestId, verdict, quota, rate } = answer;
  if (answer.status !== 200 || body === null || !isValidateResponse(body)) return null;
  return {
    checks: body.checks,
    metadata: body.metadata,
    message: body.message,
    recommendation: body.recommendation,
    signals: body.signals,
    ...(isObject(body.challenge) && { challenge: body.challenge }),
    source: 'service',
    suggestion: suggestionOf(body, email),
    verdict,
    requestId,
    quota,
    rate,
    failure: null,
  };
}

export type FallbackSource = Exclude<Validation['source'], 'service'>;

/** The result if the service did not answer, as `source` and `failure` say. */
export function fallbackValidation(
  source: FallbackSource,
  failure: PosternError,
  fingerprintHash: string | null,
  totalLatency: number,
): Validation {
  const open = source === 'failOpen' || source === 'offline';
  return {
    checks: {},
    metadata: { fingerprintHash, previousSignups: 0, totalLatency },
    message: open ? null : ENGLISH_FORM.unavailable,
    recommendation: open ? 'allow' : 'block',
    signals: [],
    source,
    suggestion: null,
    verdict: null,
    requestId: failure.requestId,
    quota: null,
    rate: null,
    failure,
  };
}

type Body = Readonly<Record<string, unknown>>;

function isValidateResponse(body: Body): body is Body & ValidateResponse {
  const { recommendation, message } = body;
  return (
    (recommendation === 'allow' || recommendation === 'flag' || recommendation === 'block') &&
    (message === null || typeof message === 'string') &&
    Array.isArray(body.signals) &&
    isObject(body.checks) &&
    isObject(body.metadata)
  );
}

function suggestionOf(response: ValidateResponse, email: string): string | null {
  const domain = response.checks.mx?.metadata?.suggestion;
  return typeof domain === 'string' ? withDomain(email, domain) : null;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
