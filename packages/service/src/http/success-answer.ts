import type { CheckInput } from '../checks/check.ts';
import type { Inspection } from '../checks/inspect-request.ts';
import type { CheckRuns } from '../checks/run-checks.ts';
import { roundMs } from '../decision/check-results.ts';
import { answerSignals, messageOf } from '../decision/decide.ts';
import { messageLanguage } from '../decision/message-text.ts';
import { checksWithoutInput, isWeakerThan } from '../decision/policy.ts';
import { whenReady } from '../model/when-ready.ts';
import { writeAnswer } from '../record/json/answer-json.ts';
import type { PreparedRecord, RecordParts } from '../record/prepare-record.ts';
import type { VerdictSigner } from '../record/verdict.ts';
import type { PageFacts, PageSeal } from '../record/verdict-page.ts';
import { type AnswerHeaders, type HttpResponse, limitHeaders } from './http-message.ts';
import type { Count, MeteredRequest } from './metered-request.ts';
import type { ValidationRequest } from './validation-request.ts';

export interface AnswerParts extends RecordParts {
  readonly verdicts: () => VerdictSigner;
  readonly pageSeal: Pick<PageSeal, 'seal'>;
  /** Milliseconds with fractions, from any start. */
  readonly stopwatch: () => number;
  /** Called for every validation that was answered, for the metrics. */
  readonly onValidated: (runs: CheckRuns, recommendation: string) => void;
  /** Called for each of the project’s rules whose evaluation failed. */
  readonly onRuleFault: () => void;
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

/** The 200: the body, and the same facts as a signed token for a caller that will hand it on. */
export function successAnswer(
  parts: AnswerParts,
  metered: MeteredRequest,
  { requestId, request, inspection, started }: Validated,
  { record, written }: PreparedRecord,
  { settlement, limits }: Count,
): HttpResponse | Promise<HttpResponse> {
  const { input } = request;
  const { actions } = inspection;
  const { project, key } = metered.resolved;
  if (settlement.result !== 'admitted' || settlement.validated === null)
    throw new Error('A validation was answered that was not counted');
  const { history, judgement } = settlement.validated;
  const runs = inspection.recall(history);
  const { recommendation } = judgement;
  // The person is told no reason, and a page neither by the answer nor by the verdict that it carries to its backend.
  const neutral = project.policy.refusal === 'quiet';
  const quiet = neutral && key.type === 'client';
  const signals = quiet ? [] : answerSignals(judgement);
  const message = messageOf(judgement, project, messageLanguage(project.policy, request.language), neutral);
  const without = checksWithoutInput(parts.checks, project.policy.actions, runs, input);
  const verdict = request.wantsVerdict
    ? parts.verdicts().sign({
        projectId: project.id,
        normalizedAddress: input.address.normalized,
        requestId,
        recommendation,
        signals,
        mode: key.mode,
        checks: runs.map(({ check }) => check),
        event: request.event,
        // A page must not get around a check that blocks by leaving its input out. What a list says does not rest on checks.
        weakened:
          record.listing === null &&
          (isWeakerThan(actions, project.policy.actions) ||
            without.some((name) => project.policy.actions[name] === 'block')),
        without,
        quiet,
        page: key.type === 'client' ? parts.pageSeal.seal(pageFacts(input)) : undefined,
        now: metered.now,
      })
    : null;
  return whenReady(verdict, (token): HttpResponse => {
    const totalLatency = roundMs(parts.stopwatch() - started);
    const body = writeAnswer({
      checks: quiet ? '{}' : written.forAnswer(runs),
      fingerprintHash: input.fingerprintHash ?? null,
      previousSignups: quiet ? 0 : (history.device?.previousSignups ?? 0),
      totalLatency,
      message: message?.text ?? null,
      recommendation,
      signals,
    });
    parts.onValidated(runs, recommendation);
    for (const _ of judgement.faultyRules) parts.onRuleFault();
    if (key.mode === 'live') parts.onAnswered(project.id, metered.now, totalLatency);
    const headers: AnswerHeaders = limitHeaders(limits);
    if (token !== null) headers['X-Postern-Verdict'] = token;
    if (message !== null) headers['Content-Language'] = message.language;
    return { status: 200, headers, body, label: recommendation };
  });
}

function pageFacts({ fingerprintHash, ip, userAgent }: CheckInput): PageFacts {
  return {
    ...(fingerprintHash !== undefined && { fingerprintHash }),
    ...(ip !== undefined && { ip: ip.text }),
    ...(userAgent !== undefined && { userAgent }),
  };
}
