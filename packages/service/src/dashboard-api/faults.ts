import { InvalidInput, NotFound } from '../operations/administration.ts';
import { type DashboardAnswer, Refused } from '../operations/operation.ts';
import { StoreConflict, StoreUnavailable } from '../store/store.ts';

type FaultFromServer = Error & { readonly code?: string; readonly statusCode?: number };

/**
 * Turns an error into a response. Expected errors explain themselves. Any other becomes one fixed sentence and goes to
 * the log.
 */
export function answerFault(
  fault: FaultFromServer,
  report: (fault: Error, message: string) => void,
): DashboardAnswer {
  if (fault instanceof InvalidInput)
    return { status: 400, body: { error: fault.message, field: fault.field, ...fault.place } };
  if (fault instanceof NotFound) return { status: 404, body: { error: fault.message } };
  if (fault instanceof StoreConflict) return { status: 409, body: { error: fault.message } };
  if (fault instanceof Refused) {
    const { retryAfter } = fault.extra;
    return {
      status: fault.status,
      body: { error: fault.message, ...fault.extra },
      ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
    };
  }
  if (fault instanceof StoreUnavailable)
    return {
      status: 503,
      body: { error: 'The store does not answer. Try again in a moment.' },
      headers: { 'Retry-After': '2' },
    };
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return { status: 413, body: { error: 'The request’s body is too large.' } };
  if (fault.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return { status: 415, body: { error: 'Send JSON, with Content-Type: application/json.' } };
  if (fault.statusCode !== undefined && fault.statusCode >= 400 && fault.statusCode < 500)
    return { status: 400, body: { error: 'The request cannot be read. Its body must be JSON.' } };
  report(fault, 'unexpected error in the dashboard');
  return { status: 500, body: { error: 'An internal error occurred' } };
}
