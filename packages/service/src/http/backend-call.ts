import { apiError } from '@postern/contract';
import type { Gatekeeper } from '../admission/admission.ts';
import type { Limits, NearLimitTracker } from '../admission/limits.ts';
import type { ResolvedKey } from '../admission/resolved-key.ts';
import { NO_VISITORS } from '../record/visitor.ts';
import { createDeadlineTimer, RequestBudget, withDeadline } from '../store/deadline.ts';
import type { Store } from '../store/store.ts';
import { type HttpRequest, type HttpResponse, refusal } from './http-message.ts';
import { MeteredRequest, type RequestState } from './metered-request.ts';
import { readCaller } from './read-caller.ts';
import { untilFresh } from './until-fresh.ts';

export interface BackendParts {
  readonly gatekeeper: Gatekeeper;
  readonly store: Pick<Store, 'settle' | 'refund'>;
  readonly nearLimit: NearLimitTracker;
  readonly now: () => number;
}

type Answer = (resolved: ResolvedKey, limits: Limits, now: number) => Promise<HttpResponse>;

/** A request that only backends may make. It uses no quota and has an hourly rate beside that of validations. */
export function createBackendCall(parts: BackendParts) {
  const startTimer = createDeadlineTimer();
  return (request: HttpRequest, answer: Answer): Promise<HttpResponse> => {
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
      const metered = new MeteredRequest(parts, { resolved, visitors: NO_VISITORS, lane: 'outcomes', state });
      const count = await metered.settle(null);
      if (count === 'stale') return 'stale';
      const { refused, limits } = count;
      if (refused !== undefined) return refusal(refused, limits);
      // After a timeout it may still be done. Doing it again changes nothing.
      return withDeadline(startTimer, state.budget.begin(), answer(resolved, limits, state.now));
    });
  };
}
