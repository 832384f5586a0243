import { isUtf8 } from 'node:buffer';
import { apiError, type OutcomesResponse, readOutcomes } from '@postern/contract';
import type { Gatekeeper } from '../admission/admission.ts';
import { type Limits, limitRefusal, limitsOf } from '../admission/limits.ts';
import type { ResolvedKey } from '../admission/resolved-key.ts';
import { monthOf } from '../model/windows.ts';
import { type OutcomeParts, recordOutcomes } from '../outcomes/record-outcomes.ts';
import { createDeadlineTimer, RequestBudget, withDeadline } from '../store/deadline.ts';
import type { Store } from '../store/store.ts';
import { type HttpRequest, type HttpResponse, limitHeaders, refusal } from './http-message.ts';
import { readCaller } from './read-caller.ts';

export interface OutcomesParts extends OutcomeParts {
  readonly gatekeeper: Gatekeeper;
  readonly store: OutcomeParts['store'] & Pick<Store, 'settle'>;
  readonly now: () => number;
  /** Called with what was recorded, for the metrics. */
  readonly onRecorded: (recorded: number, unknown: number) => void;
}

/** How many times a request is attempted while its key or project keeps changing. */
const MAX_ATTEMPTS = 4;

export type HandleOutcomes = (request: HttpRequest) => Promise<HttpResponse>;

/** `POST /v1/outcomes`: reports what became of sign-ups. It uses no quota and has an hourly rate of its own. */
export function createOutcomes(parts: OutcomesParts): HandleOutcomes {
  const startTimer = createDeadlineTimer();
  return async (request) => {
    const now = parts.now();
    const budget = new RequestBudget();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const admission = await parts.gatekeeper.admit(readCaller(request), attempt > 0, budget);
      if (!admission.admitted) return refusal(admission.error);
      if (admission.resolved.key.type !== 'server') return refusal(apiError('SERVER_KEY_REQUIRED'));
      const settlement = await parts.store.settle(rateSubmission(admission.resolved, now), budget.begin());
      budget.end();
      if (settlement.outcome === 'stale') continue;
      const limits = limitsOf(settlement, admission.resolved, now);
      const refused = limitRefusal(settlement, limits);
      if (refused !== undefined) return refusal(refused, limits);
      // After a timeout the outcomes may still be recorded. Reporting them again changes nothing.
      return withDeadline(
        startTimer,
        budget.begin(),
        record(parts, request, admission.resolved, now, limits),
      );
    }
    throw new Error(`Key or project changed during each of ${MAX_ATTEMPTS} attempts at one request`);
  };
}

function rateSubmission({ key, project, rateLimit, quotaLimit }: ResolvedKey, now: number) {
  return {
    projectId: project.id,
    keyId: key.id,
    projectVersion: project.version,
    keyVersion: key.version,
    keyType: key.type,
    mode: key.mode,
    lane: 'outcomes',
    now,
    rateLimit,
    visitor: null,
    countRate: true,
    quotaLimit,
    month: monthOf(now),
    validation: null,
  } as const;
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
  parts.onRecorded(recorded, unknown.length);
  const body: OutcomesResponse = { recorded, unknown };
  return { status: 200, headers: limitHeaders(limits), body: JSON.stringify(body), label: 'recorded' };
}
