import { isUtf8 } from 'node:buffer';
import { apiError, type OutcomesResponse, readOutcomes } from '@postern/contract';
import { type OutcomeParts, recordOutcomes } from '../outcomes/record-outcomes.ts';
import { type BackendParts, createBackendCall } from './backend-call.ts';
import { type HttpRequest, type HttpResponse, limitHeaders, refusal } from './http-message.ts';

export interface OutcomesParts extends OutcomeParts, Omit<BackendParts, 'store'> {
  readonly store: OutcomeParts['store'] & BackendParts['store'];
  /** Called with what was recorded. */
  readonly onRecorded: (projectId: string, recorded: number, unknown: number) => void;
}

export type HandleOutcomes = (request: HttpRequest) => Promise<HttpResponse>;

/** `POST /v1/outcomes`: reports what became of sign-ups. */
export function createOutcomes(parts: OutcomesParts): HandleOutcomes {
  const call = createBackendCall(parts);
  return (request) =>
    call(request, async ({ key, project }, limits, now) => {
      if (!isUtf8(request.body)) return refusal(apiError('BODY_NOT_JSON'), limits);
      const read = readOutcomes(request.body.toString(), now);
      if (!read.ok) return refusal(read.error, limits);
      const result = await recordOutcomes(parts, project.id, read.value, key.mode === 'live');
      if (!result.ok) return refusal(result.error, limits);
      const { recorded, unknown } = result;
      parts.onRecorded(project.id, recorded, unknown.length);
      const body: OutcomesResponse = { recorded, unknown };
      return { status: 200, headers: limitHeaders(limits), body: JSON.stringify(body), label: 'recorded' };
    });
}
