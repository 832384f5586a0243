import { apiError } from '@postern/contract';
import type { Gatekeeper } from '../admission/admission.ts';
import type { NearLimitTracker } from '../admission/limits.ts';
import type { ResolvedKey } from '../admission/resolved-key.ts';
import type { InspectRequest } from '../checks/inspect-request.ts';
import { judge } from '../decision/judge.ts';
import type { Agent, VerifyAgent } from '../lookup/agents/verify-agent.ts';
import { prepareRecord } from '../record/prepare-record.ts';
import { RequestBudget } from '../store/deadline.ts';
import { type LogRow, type Store, StoreUnavailable, type ValidationRecord } from '../store/store.ts';
import type { AnswerStore } from '../store/tables/answer-table.ts';
import type { LogStore } from '../store/tables/log-table.ts';
import { CountedFault } from './fault-answer.ts';
import { type HttpRequest, type HttpResponse, refusal } from './http-message.ts';
import {
  type Earlier,
  type IdempotencyParts,
  type IdempotentRequest,
  idempotentRequest,
  underWay,
} from './idempotent-request.ts';
import { MeteredRequest, type RequestState } from './metered-request.ts';
import { readCaller } from './read-caller.ts';
import { storedRequestId } from './request-id.ts';
import { type AnswerParts, successAnswer, type Validated } from './success-answer.ts';
import { untilFresh } from './until-fresh.ts';
import { readValidation, type ValidationReader } from './validation-request.ts';
import { limitResponse, visitorsBehind } from './visitors-behind.ts';

export interface ValidateParts extends AnswerParts {
  readonly gatekeeper: Gatekeeper;
  readonly nearLimit: NearLimitTracker;
  readonly store: Pick<Store, 'settle' | 'refund'>;
  readonly answers: AnswerStore;
  readonly log: Pick<LogStore, 'find'>;
  readonly underWay: IdempotencyParts['underWay'];
  readonly randomBytes: (size: number) => Buffer;
  readonly reader: ValidationReader;
  readonly inspect: InspectRequest;
  readonly verifyAgent: VerifyAgent;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with the error’s name for each request that is refused, for the metrics. */
  readonly onRefused: (reason: string) => void;
  /** Called for each 503, for the metrics. */
  readonly onUnavailable: (reason: 'store' | 'overload') => void;
  /** Requests that wait for their answer, for the metrics. */
  readonly inFlight: { count: number };
  /**
   * Called for a 402 that was answered before the store had a validation to count, so that the statistics include it.
   */
  readonly onQuotaRefused: (projectId: string, now: number) => Promise<void>;
}

export type Validate = (incoming: HttpRequest) => Promise<HttpResponse>;

/** With more requests than this in flight the store cannot keep up, and further requests would only wait longer. */
const MAX_IN_FLIGHT = 10_000;

/** `POST /validate`. */
export function createValidate(parts: ValidateParts): Validate {
  const { inFlight } = parts;
  return async (incoming) => {
    if (inFlight.count >= MAX_IN_FLIGHT) {
      parts.onUnavailable('overload');
      return refusal(apiError('UNAVAILABLE'));
    }
    inFlight.count += 1;
    const state: RequestState = {
      now: Math.floor(parts.now()),
      budget: new RequestBudget(),
      idempotent: idempotentRequest(parts, incoming),
      countedIn: undefined,
    };
    let answer: HttpResponse | undefined;
    try {
      answer = await untilFresh((reread) => handle(parts, incoming, state, reread));
      if (answer.status !== 200) parts.onRefused(answer.label);
      return answer;
    } catch (fault) {
      if (isStoreFault(fault)) parts.onUnavailable('store');
      throw fault;
    } finally {
      inFlight.count -= 1;
      if (state.idempotent !== undefined) await state.budget.waitAtMost(state.idempotent.finish(answer));
    }
  };
}

function isStoreFault(fault: unknown): boolean {
  return (fault instanceof CountedFault ? fault.cause : fault) instanceof StoreUnavailable;
}

/**
 * One attempt at a request, in the order of errors that `docs/api.md` gives. `stale`: try again. Most steps answer at once;
 * only those that do not are awaited, because each `await` costs a turn of the event loop’s queue.
 */
async function handle(
  parts: ValidateParts,
  incoming: HttpRequest,
  state: RequestState,
  reread: boolean,
): Promise<HttpResponse | 'stale'> {
  const started = parts.stopwatch();

  // Is this caller allowed?
  const admitting = parts.gatekeeper.admit(readCaller(incoming), reread, state.budget);
  const admission = admitting instanceof Promise ? await admitting : admitting;
  if (!admission.admitted) return refusal(admission.error);
  const { keyedHash, reader } = parts;
  const visitors = visitorsBehind({ clientIp: reader.clientIp, keyedHash }, incoming, admission.resolved);
  const metered = new MeteredRequest(parts, { resolved: admission.resolved, visitors, state });

  // A request with an Idempotency-Key may have been answered before.
  let logged: LogRow | undefined;
  if (state.idempotent !== undefined) {
    // A visitor over the limit is refused anyway, which costs the store less than looking for the key.
    const refused = metered.visitorMustWait ? await refuseEarly(parts, metered, state) : undefined;
    if (refused !== undefined) return refused;
    const earlier = await findEarlier(state.idempotent, metered, state);
    if (earlier?.state === 'counted') logged = earlier.logged;
    else if (earlier !== undefined) return answerRepeat(earlier, metered);
  }

  // Read the request. Every request counts against the rate, and a rate limit comes before a bad body.
  const read = readValidation(parts.reader, incoming, metered.resolved, metered.now);
  if (!read.ok) {
    const count = await metered.settle(null);
    return count === 'stale' ? count : limitResponse(count, count.refused ?? read.error);
  }
  if (logged === undefined && metered.isNearLimit) {
    const refused = await refuseEarly(parts, metered, state);
    if (refused !== undefined) return refused;
  }

  // Run the checks, without history yet. Meanwhile the signature of a program that acts for a person is verified.
  const verifying = agentBehind(parts, incoming, metered.resolved);
  const inspecting = parts.inspect(read.request, metered.resolved.key.mode);
  const inspection = inspecting instanceof Promise ? await inspecting : inspecting;

  const agent = verifying && (await verifying);

  // Count, remember and log in one transaction. The answer is sent only after that.
  const requestId = logged?.requestId ?? storedRequestId(incoming, metered.resolved.key.type);
  const validated: Validated = { requestId, request: read.request, inspection, started };
  const preparing = prepareRecord(parts, metered.resolved.project, {
    requestId,
    input: read.request.input,
    keyType: metered.resolved.key.type,
    sdkVersion: read.request.sdkVersion,
    event: read.request.event,
    agent,
    runs: inspection.runs,
    actions: inspection.actions,
    latencyMs: parts.stopwatch() - started,
    simulatedHistory: inspection.simulatedHistory,
    idempotency: state.idempotent?.hashes(metered.resolved.key),
  });
  const prepared = preparing instanceof Promise ? await preparing : preparing;
  const count = await (logged === undefined
    ? metered.settle(prepared.record, inspection.simulatedLimit)
    : metered.asCountedBefore(judgedAgain(parts, metered, prepared.record, logged)));
  if (count === 'stale') return 'stale';
  if (count.settlement.result === 'repeated') {
    // The same request was counted while the checks ran. Mostly its answer is on its way.
    const earlier = state.idempotent && (await findEarlier(state.idempotent, metered, state));
    return answerRepeat(
      earlier === undefined || earlier.state === 'counted' ? underWay(0) : earlier,
      metered,
    );
  }
  if (count.refused !== undefined) {
    // A test address that simulates a limit is in the log. A request that was counted before stays counted.
    if (logged === undefined) state.idempotent?.handleRepeatAsNew();
    return limitResponse(count, count.refused);
  }

  // Writes the answer. A fault from here on gives the quota back.
  try {
    const answering = successAnswer(parts, metered, validated, prepared, count);
    const answer = answering instanceof Promise ? await answering : answering;
    // Blocked requests bring no person, and test keys leave no trace.
    if (answer.label !== 'block' && metered.resolved.key.mode === 'live')
      read.request.activity.record(prepared.record.inboxHash);
    return answer;
  } catch (fault) {
    state.idempotent?.handleRepeatAsNew();
    throw new CountedFault(fault, await metered.refund(count.limits));
  }
}

/** Counts a request before the checks run. Returns the answer if it is refused, nothing if it may continue. */
async function refuseEarly(
  parts: ValidateParts,
  metered: MeteredRequest,
  state: RequestState,
): Promise<HttpResponse | 'stale' | undefined> {
  const count = await metered.countRate();
  if (count === 'stale') return count;
  if (count.refused === undefined) return undefined;
  if (count.settlement.result === 'admitted')
    await state.budget.waitAtMost(parts.onQuotaRefused(metered.resolved.project.id, metered.now));
  return limitResponse(count, count.refused);
}

/** Only pages are used by programs, and only a project that wants it pays for it. */
function agentBehind(
  { verifyAgent }: ValidateParts,
  { header, target }: HttpRequest,
  { key, project }: ResolvedKey,
): Promise<Agent | undefined> | undefined {
  if (project.policy.agents !== 'verify' || key.type !== 'client' || target === undefined) return undefined;
  return verifyAgent({ header, target });
}

/** A request that was counted before, with the history that it had then. */
function judgedAgain(
  { keyedHash }: ValidateParts,
  { resolved }: MeteredRequest,
  record: ValidationRecord,
  { id, history }: LogRow,
) {
  const hashInbox = (name: string) => keyedHash('inbox', name);
  return { logId: id, history, judgement: judge(record, resolved.project, history, hashInbox) };
}

/** Looks for an earlier request with the same Idempotency-Key. */
function findEarlier(
  idempotent: IdempotentRequest,
  { resolved, now }: MeteredRequest,
  { budget }: RequestState,
): Promise<Earlier | undefined> {
  return idempotent.findEarlier(resolved.project.id, resolved.key, now, budget);
}

/** The answer to a request whose Idempotency-Key was used before. */
async function answerRepeat(
  earlier: Exclude<Earlier, { state: 'counted' }>,
  metered: MeteredRequest,
): Promise<HttpResponse | 'stale'> {
  // Also before a stored answer the store confirms that key and project are still the ones that were admitted.
  const counts = earlier.state === 'refused' && earlier.counts;
  const count = counts ? await metered.settle(null) : await metered.readLimits();
  if (count === 'stale') return 'stale';
  if (earlier.state === 'answered') return earlier.answer;
  if (count.refused !== undefined) return limitResponse(count, count.refused);
  const response = refusal(earlier.error, count.limits);
  if (earlier.retryAfter === undefined) return response;
  return { ...response, headers: { ...response.headers, 'Retry-After': String(earlier.retryAfter) } };
}
