import type { HttpAnswer } from './http-answer.ts';
import { type PosternError, type PosternFailure, posternError } from './postern-error.ts';

/** The typed error of an answer that is not a 200. */
export function errorAnswer(answer: HttpAnswer): PosternError {
  const error = answer.body?.error;
  return typeof error === 'string'
    ? posternError(error, failureOf(answer, error), answer)
    : posternError(`Unexpected answer with status ${answer.status}`, failureWithoutBody(answer), answer);
}

/**
 * The body has no label and its wording may vary. So the status decides, and a keyword if several errors share a
 * status.
 */
function failureOf(answer: HttpAnswer, error: string): PosternFailure {
  const { status } = answer;
  switch (status) {
    case 400:
      if (/project-id/i.test(error)) return { label: 'MISSING_PROJECT_ID', status };
      return { label: /^(invalid )?email/i.test(error) ? 'INVALID_EMAIL' : 'INVALID_REQUEST', status };
    case 401:
      return { label: /^server key/i.test(error) ? 'INVALID_KEY_TYPE' : 'UNAUTHORIZED', status };
    case 402:
      return quotaFailure(answer);
    case 403:
      if (/^origin/i.test(error)) return { label: 'DOMAIN_NOT_ALLOWED', status };
      return { label: /server key/i.test(error) ? 'FORBIDDEN' : 'PROJECT_NOT_FOUND', status };
    case 404:
      return { label: 'NOT_FOUND', status };
    case 405:
      return { label: 'METHOD_NOT_ALLOWED', status };
    case 408:
      return { label: 'REQUEST_TIMEOUT', status };
    case 409:
      return { label: 'CONFLICT', status, retryAfter: answer.retryAfter };
    case 410:
      return { label: 'EXPIRED', status };
    case 413:
      return { label: 'BODY_TOO_LARGE', status };
    case 415:
      return { label: 'ENCODING_UNSUPPORTED', status };
    case 422:
      return { label: 'IDEMPOTENCY_KEY_REUSED', status };
    case 431:
      return { label: 'HEADERS_TOO_LARGE', status };
    case 500:
      return { label: 'INTERNAL_ERROR', status };
    default:
      return failureWithoutBody(answer);
  }
}

function quotaFailure({ body, quota }: HttpAnswer): PosternFailure {
  const limit = count(body?.limit) ?? quota?.limit;
  const used = count(body?.used) ?? quota?.used;
  const remaining = count(body?.remaining) ?? quota?.remaining ?? 0;
  const resetAt = typeof body?.resetAt === 'string' ? body.resetAt : quota?.resetAt;
  if (limit === undefined || used === undefined || resetAt === undefined) {
    return { label: 'UNEXPECTED_ANSWER', status: 402 };
  }
  return { label: 'QUOTA_EXCEEDED', status: 402, limit, used, remaining, resetAt };
}

/** Gateways and rate limiters in front of the service answer these without the service’s body. */
function failureWithoutBody({ status, body, retryAfter }: HttpAnswer): PosternFailure {
  if (status === 429) {
    return {
      label: 'RATE_LIMITED',
      status,
      retryAfter: count(body?.retryAfter) ?? retryAfter ?? 1,
      limit: count(body?.limit) ?? null,
      window: typeof body?.window === 'string' ? body.window : null,
    };
  }
  if (status === 502 || status === 503 || status === 504) return { label: 'UNAVAILABLE', status, retryAfter };
  if (status === 500) return { label: 'INTERNAL_ERROR', status };
  return { label: 'UNEXPECTED_ANSWER', status };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
