import type { Inspection } from '../checks/inspect-request.ts';
import type { CheckRuns } from '../checks/run-checks.ts';
import { roundMs } from '../decision/check-results.ts';
import { decide } from '../decision/decide.ts';
import { messageLanguage } from '../decision/message-text.ts';
import { ownAnswer } from '../decision/own-decision.ts';
import { checksWithoutInput, isWeakerThan } from '../decision/policy.ts';
import { historyState } from '../model/history.ts';
import { whenReady } from '../model/when-ready.ts';
import { writeAnswer } from '../record/json/answer-json.ts';
import type { PreparedRecord, RecordParts } from '../record/prepare-record.ts';
import type { VerdictSigner } from '../record/verdict.ts';
import { type AnswerHeaders, type HttpResponse, limitHeaders } from './http-message.ts';
import type { Count, MeteredRequest } from './metered-request.ts';
import type { ValidationRequest } from './validation-request.ts';

export interface AnswerParts extends RecordParts {
  readonly verdicts: () => VerdictSigner;
  /** Milliseconds with fractions, from any start. */
  readonly stopwatch: () => number;
  /** Called for every validation that was answered, for the metrics. */
  readonly onValidated: (runs: CheckRuns, recommendation: string) => void;
  /** Called with what the caller of a live key waited, for the statistics. `at`: when the request came. */
  readonly onAnswered: (projectId: string, at: number, ms: number) => void;
}

/** A request whose checks have run. */
export interface Validated {
  readonly requestId: string;
  readonly request: ValidationRequest;
  readonly inspection: Inspection;
  /** The stopwatch’s time when the request arrived. */
  readonly started: number;
}

/** The 200: the body, and the same facts as a signed token. */
export function successAnswer(
  parts: AnswerParts,
  metered: MeteredRequest,
  { requestId, request, inspection, started }: Validated,
  { written, own }: PreparedRecord,
  { settlement, limits }: Count,
): HttpResponse | Promise<HttpResponse> {
  const { input } = request;
  const { actions } = inspection;
  const { project, key } = metered.resolved;
  const found = settlement.result === 'admitted' ? settlement.history : null;
  const { runs, history } = inspection.recall(found);
  // As the store decided it, with the same history.
  const answer = ownAnswer(own, found === null ? 0 : historyState(found));
  const asked = messageLanguage(project.policy, request.language);
  const { recommendation, message, language, signals } = decide(runs, actions, project.policy, asked, answer);
  const without = checksWithoutInput(parts.checks, project.policy.actions, runs, input);
  const verdict = parts.verdicts().sign({
    projectId: project.id,
    normalizedAddress: input.address.normalized,
    requestId,
    recommendation,
    signals,
    mode: key.mode,
    checks: runs.map(({ check }) => check),
    // A page must not get around a check that blocks by leaving its input out. What a list says does not rest on checks.
    weakened:
      own.listing === undefined &&
      (isWeakerThan(actions, project.policy.actions) ||
        without.some((name) => project.policy.actions[name] === 'block')),
    without,
    now: metered.now,
  });
  return whenReady(verdict, (token): HttpResponse => {
    const totalLatency = roundMs(parts.stopwatch() - started);
    const body = writeAnswer({
      checks: written.forAnswer(runs),
      fingerprintHash: input.fingerprintHash ?? null,
      previousSignups: history?.device?.previousSignups ?? 0,
      totalLatency,
      message,
      recommendation,
      signals,
    });
    parts.onValidated(runs, recommendation);
    if (key.mode === 'live') parts.onAnswered(project.id, metered.now, totalLatency);
    const headers: AnswerHeaders = limitHeaders(limits);
    headers['X-Postern-Verdict'] = token;
    if (message !== null) headers['Content-Language'] = language;
    return { status: 200, headers, body, label: recommendation };
  });
}
