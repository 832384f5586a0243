import { type ApiError, apiError } from '@postern/contract';
import type { Log } from '../log.ts';
import { StoreUnavailable } from '../store/store.ts';
import { type HttpResponse, refusal } from './http-message.ts';

const OUTAGE_TOLD_EVERY_MS = 1_000;
let outageToldAt = Number.NEGATIVE_INFINITY;
let untold = 0;

/** What a fault becomes outside: one fixed sentence. What it was goes to the log, under the request’s ID. */
export function faultAnswer(
  fault: Error & { code?: string; statusCode?: number },
  requestId: string,
  log: Log,
): HttpResponse {
  return refusal(errorFor(fault, requestId, log));
}

function errorFor(
  fault: Error & { code?: string; statusCode?: number },
  requestId: string,
  log: Log,
): ApiError {
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return apiError('BODY_TOO_LARGE');
  if (fault instanceof StoreUnavailable) {
    tellOfOutage(log, requestId, fault.message);
    return apiError('UNAVAILABLE');
  }
  // Fastify’s own refusals of a request it could not read, such as a body shorter than its Content-Length.
  if (fault.statusCode !== undefined && fault.statusCode < 500) return apiError('BODY_NOT_JSON');
  log.error({ requestId, err: fault }, 'unexpected fault');
  return apiError('INTERNAL');
}

/** An outage refuses every request; its log has a line a second, with how many it stands for. */
function tellOfOutage(log: Log, requestId: string, reason: string): void {
  untold += 1;
  const now = performance.now();
  if (now - outageToldAt < OUTAGE_TOLD_EVERY_MS) return;
  log.warn({ requestId, reason, refused: untold }, 'store unavailable');
  outageToldAt = now;
  untold = 0;
}
