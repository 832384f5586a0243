import { apiError, type CheckActions, quotaExceeded, rateLimited } from '@postern/contract';
import type { Gatekeeper } from '../admission/admission.ts';
import type { Limits, NearLimitTracker } from '../admission/limits.ts';
import type { CheckInput } from '../checks/check.ts';
import {
  type CheckRuns,
  type Checks,
  type RunOptions,
  recallChecks,
  runChecks,
} from '../checks/run-checks.ts';
import { type SandboxOutcome, sandboxOutcome } from '../checks/sandbox-address.ts';
import { roundMs } from '../decision/check-results.ts';
import { decide } from '../decision/decide.ts';
import { isWeakerThan } from '../decision/policy.ts';
import { type SerializedChecks, serializeChecks } from '../decision/serialize-checks.ts';
import type { History } from '../model/history.ts';
import type { KeyedHash } from '../record/keyed-hash.ts';
import { logRecord } from '../record/log-record.ts';
import { validationRecord } from '../record/validation-record.ts';
import type { VerdictSigner } from '../record/verdict.ts';
import { RequestBudget } from '../store/deadline.ts';
import type { Store } from '../store/store.ts';
import { callerOf } from './caller.ts';
import { type HttpRequest, type HttpResponse, limitHeaders, refusal } from './http-message.ts';
import { MeteredRequest, type RequestState } from './metered-request.ts';
import { writeAnswer } from './validate-answer.ts';
import { readValidation, type ValidationReader } from './validation-request.ts';

export interface ValidateParts {
  readonly gatekeeper: Gatekeeper;
  readonly nearLimit: NearLimitTracker;
  readonly store: Pick<Store, 'settle' | 'refund'>;
  readonly reader: ValidationReader;
  readonly checks: Checks;
  readonly runOptions: RunOptions;
  readonly keyedHash: KeyedHash;
  readonly verdicts: () => VerdictSigner;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told of every validation that was answered, for the metrics. */
  readonly onValidated: (runs: CheckRuns, recommendation: string) => void;
  /** Told of a 402 that came before the store had a validation to count, so that the figures have it too. */
  readonly onQuotaRefused: (projectId: string, now: number) => Promise<void>;
}

export type Validate = (incoming: HttpRequest) => Promise<HttpResponse>;

/** A key or project that changes under a request is read again; more often than this, something else is wrong. */
const MAX_ATTEMPTS = 4;

/** Beyond this many requests under way the store is not keeping up: more would only wait for longer. */
const MAX_IN_FLIGHT = 10_000;

/** `POST /validate`: one request’s way through the house. */
export function createValidate(parts: ValidateParts): Validate {
  let underWay = 0;
  return async (incoming) => {
    if (underWay >= MAX_IN_FLIGHT) return refusal(apiError('UNAVAILABLE'));
    underWay += 1;
    const state: RequestState = { now: parts.now(), wait: new RequestBudget(), countedIn: undefined };
    try {
      for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
        const answer = await handle(parts, incoming, state, attempts > 0);
        if (answer !== 'stale') return answer;
      }
    } finally {
      underWay -= 1;
    }
    throw new Error(`Key or project changed during each of ${MAX_ATTEMPTS} attempts at one request`);
  };
}

async function handle(
  parts: ValidateParts,
  incoming: HttpRequest,
  state: RequestState,
  reread: boolean,
): Promise<HttpResponse | 'stale'> {
  const started = parts.runOptions.stopwatch();

  // May this caller ask? Steps 1 to 5. What is known at once, here and below, is not awaited: each wait costs a turn.
  const admitting = parts.gatekeeper.admit(callerOf(incoming), reread, state.wait);
  const admission = admitting instanceof Promise ? await admitting : admitting;
  if (!admission.admitted) return refusal(admission.error);
  const metered = new MeteredRequest(admission.known, state, parts.store, parts.nearLimit);

  // What is asked? Steps 7 to 10. What is refused here still counts against the rate, and meets its limit first.
  const read = readValidation(parts.reader, incoming, metered.known, metered.now);
  if (!read.ok || metered.isNearLimit) {
    const count = read.ok ? await metered.countRate() : await metered.settle(null);
    if (count === 'stale') return 'stale';
    if (count.refused !== undefined) {
      if (count.settlement.outcome === 'admitted')
        await state.wait.waitAtMost(parts.onQuotaRefused(metered.known.project.id, metered.now));
      return refusal(count.refused, count.limits);
    }
    if (!read.ok) return refusal(read.error, count.limits);
  }

  // What is true? The checks, on the request alone.
  const { request } = read;
  const sandbox = metered.isTest ? sandboxOutcome(request.input.address, request.actions) : undefined;
  const actions = sandbox?.actions ?? request.actions;
  const running = sandbox?.runs ?? runChecks(parts.checks, request.names, request.input, parts.runOptions);
  const runs = running instanceof Promise ? await running : running;

  // What is remembered? Rate, quota, sightings and log in one transaction; only then may the answer leave.
  const latencyMs = parts.runOptions.stopwatch() - started;
  const written = serializeChecks(runs);
  const { requestId } = incoming;
  const { input, sdkVersion } = request;
  const { checks } = parts;
  const facts = { requestId, sdkVersion, input, runs, written, checks, actions, latencyMs };
  const finding = input.inbox();
  const inbox = finding instanceof Promise ? await finding : finding;
  const record = validationRecord(input, inbox, metered.known.project, parts.keyedHash, logRecord(facts));
  const count = await metered.settle(record);
  if (count === 'stale') return 'stale';
  if (count.refused !== undefined) return refusal(count.refused, count.limits);
  if (sandbox?.refuses !== undefined) return sandboxRefusal(sandbox.refuses, count.limits);

  // So what? The findings with the project’s memory, under its policy.
  const { limits, settlement } = count;
  try {
    const remembered = settlement.outcome === 'admitted' ? settlement.history : null;
    const history = sandbox === undefined ? remembered : sandbox.history;
    const recalled = sandbox || history === null ? runs : recallChecks(checks, runs, history);
    const facts = { requestId, input, actions, runs: recalled, written, history, limits, started };
    const answer = success(parts, metered, facts);
    return answer instanceof Promise ? await answer : answer;
  } catch (fault) {
    await metered.refund();
    throw fault;
  }
}

interface Validated {
  readonly requestId: string;
  readonly input: CheckInput;
  readonly actions: CheckActions;
  readonly runs: CheckRuns;
  readonly written: SerializedChecks;
  readonly history: History | null;
  readonly limits: Limits;
  readonly started: number;
}

/** The 200: the body as the document has it, and the same facts signed. */
function success(
  parts: ValidateParts,
  metered: MeteredRequest,
  validated: Validated,
): HttpResponse | Promise<HttpResponse> {
  const { input, runs, history } = validated;
  const { project, key } = metered.known;
  const { recommendation, message, signals } = decide(runs, validated.actions, project.policy.messageTone);
  const verdict = parts.verdicts().sign({
    projectId: project.id,
    normalizedAddress: input.address.normalized,
    requestId: validated.requestId,
    recommendation,
    signals,
    mode: key.mode,
    weakened: isWeakerThan(validated.actions, project.policy.actions),
    now: metered.now,
  });
  const answer = (verdict: string): HttpResponse => {
    const body = writeAnswer({
      checks: validated.written.forAnswer(runs),
      fingerprintHash: input.fingerprintHash ?? null,
      previousSignups: history?.device?.previousSignups ?? 0,
      totalLatency: roundMs(parts.runOptions.stopwatch() - validated.started),
      message,
      recommendation,
      signals,
    });
    parts.onValidated(runs, recommendation);
    const headers = limitHeaders(validated.limits);
    headers['X-Postern-Verdict'] = verdict;
    return { status: 200, headers, body, outcome: recommendation };
  };
  return verdict instanceof Promise ? verdict.then(answer) : answer(verdict);
}

/** A test key’s `quota@` and `rate@`: the error as it would be, in body and headers, without being near the limit. */
function sandboxRefusal(refuses: NonNullable<SandboxOutcome['refuses']>, limits: Limits): HttpResponse {
  if (refuses === 'rate') {
    const rate = { ...limits.rate, remaining: 0, retryAfter: 1 };
    return refusal(rateLimited(rate.limit, rate.retryAfter), { ...limits, rate });
  }
  const quota = { ...limits.quota, used: limits.quota.limit, remaining: 0 };
  return refusal(quotaExceeded(quota), { ...limits, quota });
}
