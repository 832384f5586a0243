import { type ApiError, apiError } from '@postern/contract';
import type { Limits } from '../admission/limits.ts';
import type { Log } from '../log.ts';
import { shortageCode } from '../model/resource-shortage.ts';
import { StoreUnavailable } from '../store/store.ts';
import { type HttpResponse, refusal } from './http-message.ts';

/** A fault after the request was counted. Its answer carries the limits, as every answer to an admitted caller does. */
export class CountedFault extends Error {
  readonly limits: Limits;

  constructor(cause: unknown, limits: Limits) {
    super('The answer could not be made', { cause });
    this.limits = limits;
  }
}

export interface FaultParts {
  readonly log: Log;
  /** Something could not be opened, because our own machine lacks descriptors, buffers or memory. */
  readonly onShortage: (code: string) => void;
}

/** The answer to a fault is one fixed sentence. The details go to the log with the request ID. */
export function faultAnswer(
  fault: Error & { code?: string; statusCode?: number },
  requestId: string,
  parts: FaultParts,
): HttpResponse {
  return fault instanceof CountedFault
    ? refusal(errorFor(causeOf(fault), requestId, parts), fault.limits)
    : refusal(errorFor(fault, requestId, parts));
}

function causeOf(fault: CountedFault): Error {
  return fault.cause instanceof Error ? fault.cause : fault;
}

function errorFor(
  fault: Error & { code?: string; statusCode?: number },
  requestId: string,
  { log, onShortage }: FaultParts,
): ApiError {
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return apiError('BODY_TOO_LARGE');
  if (fault instanceof StoreUnavailable) {
    // The outage itself is logged once, by watch-store.ts.
    log.debug({ requestId, code: fault.code, reason: fault.message }, 'refused: the store failed');
    return apiError('UNAVAILABLE');
  }
  // Fastify refuses requests that it cannot read, such as a body shorter than its Content-Length.
  if (fault.statusCode !== undefined && fault.statusCode < 500) return apiError('BODY_NOT_JSON');
  const shortage = shortageCode(fault);
  if (shortage !== undefined) {
    // One line for each would fill the disk as well.
    onShortage(shortage);
    log.debug({ requestId, code: shortage }, 'refused: no descriptors or memory left');
    return apiError('UNAVAILABLE');
  }
  log.error({ requestId, err: fault }, 'unexpected fault');
  return apiError('INTERNAL');
}
