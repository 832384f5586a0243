import type { Challenge, ResponseMetadata, Signal, ValidateResponse } from '@postern/contract';
import type { CheckInput } from '../checks/check.ts';
import type { Inspection } from '../checks/inspect-request.ts';
import type { CheckRuns } from '../checks/run-checks.ts';
import { roundMs } from '../decision/check-results.ts';
import { answerSignals, messageOf } from '../decision/decide.ts';
import { messageLanguage } from '../decision/message-text.ts';
import { checksWithoutInput, isWeakerThan } from '../decision/policy.ts';
import { jsonString, jsonStrings, jsonValue } from '../model/json-text.ts';
import type { Judgement } from '../model/judgement.ts';
import { whenReady } from '../model/when-ready.ts';
import type { PreparedRecord, RecordParts } from '../record/prepare-record.ts';
import { emailHash, type VerdictFacts, type VerdictSigner } from '../record/verdict.ts';
import type { PageFacts, PageSeal } from '../record/verdict-page.ts';
import { type Challenges, stepUpOf } from '../step-up/challenges.ts';
import { type AnswerHeaders, type HttpResponse, limitHeaders } from './http-message.ts';
import type { Count, MeteredRequest } from './metered-request.ts';
import type { ValidationRequest } from './validation-request.ts';

export interface AnswerParts extends RecordParts {
  readonly verdicts: () => VerdictSigner;
  readonly challenges: Pick<Challenges, 'ask'>;
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
  validated: Validated,
  prepared: PreparedRecord,
  { settlement, limits }: Count,
): HttpResponse | Promise<HttpResponse> {
  const { request, inspection, started } = validated;
  const { project, key } = metered.resolved;
  if (settlement.result !== 'admitted' || settlement.validated === null)
    throw new Error('A validation was answered that was not counted');
  const { history, judgement, logId } = settlement.validated;
  const runs = inspection.recall(history);
  const { recommendation } = judgement;
  // The person is told no reason, and a page neither by the answer nor by the verdict that it carries to its backend.
  const neutral = project.policy.refusal === 'quiet';
  const quiet = neutral && key.type === 'client';
  const signals = quiet ? [] : answerSignals(judgement);
  const language = messageLanguage(project.policy, request.language);
  const message = messageOf(judgement, project, language, runs, neutral);
  const facts = () => verdictFacts(parts, metered, { validated, prepared, runs, judgement, signals, quiet });
  const verdict = request.wantsVerdict ? parts.verdicts().sign(facts()) : null;
  const write = (token: string | null, challenge: Challenge | undefined): HttpResponse => {
    const totalLatency = roundMs(parts.stopwatch() - started);
    const body = writeAnswer({
      checks: quiet ? '{}' : prepared.written.forAnswer(runs),
      fingerprintHash: request.input.fingerprintHash ?? null,
      previousSignups: quiet ? 0 : (history.device?.previousSignups ?? 0),
      totalLatency,
      message: message?.text ?? null,
      recommendation,
      signals,
      challenge,
    });
    parts.onValidated(runs, recommendation);
    for (const _ of judgement.faultyRules) parts.onRuleFault();
    if (key.mode === 'live') parts.onAnswered(project.id, metered.now, totalLatency);
    const headers: AnswerHeaders = limitHeaders(limits);
    if (token !== null) headers['X-Postern-Verdict'] = token;
    if (message !== null) headers['Content-Language'] = message.language;
    return { status: 200, headers, body, label: recommendation };
  };
  const stepUp = request.takesChallenge ? stepUpOf(project, judgement) : 'none';
  if (stepUp === 'none') return whenReady(verdict, (token) => write(token, undefined));
  const { input } = request;
  const flagged = {
    resolved: metered.resolved,
    logId,
    inbox: prepared.record.inboxHash,
    ip: input.ip,
    address: input.address.normalized,
    language,
    verdict: facts(),
  };
  const asking = parts.challenges.ask(stepUp, flagged);
  return asking.then((challenge) => whenReady(verdict, (token) => write(token, challenge)));
}

interface Decided {
  readonly validated: Validated;
  readonly prepared: PreparedRecord;
  readonly runs: CheckRuns;
  readonly judgement: Judgement;
  readonly signals: Signal[];
  /** Whether the signals were left out. */
  readonly quiet: boolean;
}

function verdictFacts(
  parts: AnswerParts,
  { resolved: { project, key }, now }: MeteredRequest,
  { validated, prepared, runs, judgement, signals, quiet }: Decided,
): VerdictFacts {
  const { request, inspection } = validated;
  const without = checksWithoutInput(parts.checks, project.policy.actions, runs, request.input);
  return {
    projectId: project.id,
    sub: emailHash(request.input.address.normalized),
    requestId: validated.requestId,
    recommendation: judgement.recommendation,
    signals,
    mode: key.mode,
    checks: runs.map(({ check }) => check),
    event: request.event,
    // A page must not get around a check that blocks by leaving its input out. What a list says does not rest on checks.
    weakened:
      prepared.record.listing === null &&
      (isWeakerThan(inspection.actions, project.policy.actions) ||
        without.some((name) => project.policy.actions[name] === 'block')),
    without,
    quiet,
    page: key.type === 'client' ? parts.pageSeal.seal(pageFacts(request.input)) : undefined,
    now,
  };
}

function pageFacts({ fingerprintHash, ip, userAgent }: CheckInput): PageFacts {
  return {
    ...(fingerprintHash !== undefined && { fingerprintHash }),
    ...(ip !== undefined && { ip: ip.text }),
    ...(userAgent !== undefined && { userAgent }),
  };
}

/** The content of a 200. The checks’ results are already JSON. */
export interface AnswerFacts
  extends ResponseMetadata,
    Pick<ValidateResponse, 'message' | 'recommendation' | 'signals'> {
  readonly challenge?: Challenge | undefined;
  readonly checks: string;
}

/** The body of a 200, a `ValidateResponse`. Built by hand for speed, because every request writes it. */
export function writeAnswer(facts: AnswerFacts): string {
  const { fingerprintHash, previousSignups, totalLatency } = facts;
  const metadata = `{"fingerprintHash":${jsonValue(fingerprintHash)},"previousSignups":${previousSignups},"totalLatency":${totalLatency}}`;
  const advice = `"message":${jsonValue(facts.message)},"recommendation":${jsonString(facts.recommendation)},"signals":${jsonStrings(facts.signals)}`;
  const challenge = facts.challenge === undefined ? '' : `,"challenge":${JSON.stringify(facts.challenge)}`;
  return `{"checks":${facts.checks},"metadata":${metadata},${advice}${challenge}}`;
}
