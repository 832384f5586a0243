import { isUtf8 } from 'node:buffer';
import { apiError, type OutcomesResponse, readOutcomes } from '@postern/contract';
import type { Gatekeeper } from '../admission/admission.ts';
import type { Limits, NearLimitTracker } from '../admission/limits.ts';
import type { ResolvedKey } from '../admission/resolved-key.ts';
import { type OutcomeParts, recordOutcomes } from '../outcomes/record-outcomes.ts';
import { NOBODY } from '../record/visitor.ts';
import { createDeadlineTimer, RequestBudget, withDeadline } from '../store/deadline.ts';
import type { Store } from '../store/store.ts';
import { type HttpRequest, type HttpResponse, limitHeaders, refusal } from './http-message.ts';
import { MeteredRequest, type RequestState } from './metered-request.ts';
import { readCaller } from './read-caller.ts';
import { untilFresh } from './until-fresh.ts';

export interface OutcomesParts extends OutcomeParts {
  readonly gatekeeper: Gatekeeper;
  readonly store: OutcomeParts['store'] & Pick<Store, 'settle' | 'refund'>;
  readonly nearLimit: NearLimitTracker;
  readonly now: () => number;
  /** Called with what was recorded. */
  readonly onRecorded: (projectId: string, recorded: number, unknown: number) => void;
}

export type HandleOutcomes = (request: HttpRequest) => Promise<HttpResponse>;

/** `POST /v1/outcomes`: reports what became of sign-ups. It uses no quota and has an hourly rate of its own. */
export function createOutcomes(parts: OutcomesParts): HandleOutcomes {
  const startTimer = createDeadlineTimer();
  return (request) => {
    const state: RequestState = {
      now: Math.floor(parts.now()),
      budget: new RequestBudget(),
      idempotent: undefined,
      countedIn: undefined,
    };
    return untilFresh(async (reread) => {
      const admission = await parts.gatekeeper.admit(readCaller(request), reread, state.budget);
      if (!admission.admitted) return refusal(admission.error);
      const { resolved } = admission;
      if (resolved.key.type !== 'server') return refusal(apiError('SERVER_KEY_REQUIRED'));
      const metered = new MeteredRequest(parts, { resolved, visitors: NOBODY, lane: 'outcomes', state });
      const count = await metered.settle(null);
      if (count === 'stale') return 'stale';
      const { refused, limits } = count;
      if (refused !== undefined) return refusal(refused, limits);
      // After a timeout the outcomes may still be recorded. Reporting them again changes nothing.
      const recording = record(parts, request, resolved, state.now, limits);
      return withDeadline(startTimer, state.budget.begin(), recording);
    });
  };
}

async function record(
  parts: OutcomesParts,
  request: HttpRequest,
  { key, project }: ResolvedKey,
  now: number,
  limits: Limits,
): Promise<HttpResponse> {
  if (!isUtf8(request.body)) return refusal(apiError('BODY_NOT_JSON'), limits);
  const read = readOutcomes(request.body.toString(), now);
  if (!read.ok) return refusal(read.error, limits);
  const result = await recordOutcomes(parts, project.id, read.value, key.mode === 'live');
  if (!result.ok) return refusal(result.error, limits);
  const { recorded, unknown } = result;
  parts.onRecorded(project.id, recorded, unknown.length);
  const body: OutcomesResponse = { recorded, unknown };
  return { status: 200, headers: limitHeaders(limits), body: JSON.stringify(body), label: 'recorded' };
}
