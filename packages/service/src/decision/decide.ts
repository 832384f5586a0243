import {
  ACTIONS,
  type CheckActions,
  type CheckName,
  type LanguageTag,
  POLICY_SIGNALS,
  type Recommendation,
  SIGNALS,
  type Signal,
} from '@postern/contract';
import type { CheckRuns } from '../checks/run-checks.ts';
import type { ProjectPolicy } from '../model/project.ts';
import { type MessagePolicy, messageFor, neutralMessage } from './message-text.ts';
import type { OwnAnswer } from './own-decision.ts';

export interface Decision {
  readonly recommendation: Recommendation;
  readonly message: string | null;
  /** The message’s language: English if it is not translated into the language that was asked for. */
  readonly language: LanguageTag;
  readonly signals: Signal[];
}

/** What flags a validation although no check failed. */
export type FlagPolicy = Pick<ProjectPolicy, 'signals' | 'unknownMx' | 'unknownIp'>;

/** Only failed checks count. */
const FLAG_NOTHING: FlagPolicy = { signals: {}, unknownMx: 'pass', unknownIp: 'pass' };

/**
 * Applies the policy to the findings. It has an action for each failed check, and for some signals of passed checks.
 * What the project’s own lists and rules say comes before that.
 */
export function decide(
  runs: CheckRuns,
  actions: CheckActions,
  policy: MessagePolicy & FlagPolicy,
  language: LanguageTag,
  own?: OwnAnswer,
): Decision {
  const signals = signalsOf(runs);
  if (own?.recommendation !== undefined) {
    const { recommendation, rule } = own;
    const decided = { recommendation, signals: [...signals, ...own.signals] };
    if (recommendation === 'allow') return { ...decided, message: null, language };
    if (rule?.message !== undefined) return { ...decided, message: rule.message, language };
    const { text, language: written } = neutralMessage(policy, language);
    return { ...decided, message: text, language: written };
  }
  const failed = strongestFailure(runs, actions);
  const recommendation = recommend(runs, actions, policy, signals);
  const failureDecides = failed !== undefined && actions[failed] === recommendation;
  const decisive = failureDecides ? failed : flaggingCheck(runs, signals, actions, policy);
  if (recommendation === 'allow' || decisive === undefined)
    return { recommendation, message: null, language, signals };
  const message = messageFor(policy, language, decisive);
  return { recommendation, message: message.text, language: message.language, signals };
}

/** The recommendation alone. Pass `signals` if the findings no longer carry them. */
export function recommend(
  runs: CheckRuns,
  actions: CheckActions,
  policy: FlagPolicy = FLAG_NOTHING,
  signals: readonly string[] = signalsOf(runs),
): Recommendation {
  const failed = strongestFailure(runs, actions);
  const byChecks = failed === undefined ? 'allow' : (actions[failed] ?? 'allow');
  if (byChecks !== 'allow') return byChecks;
  return flaggingCheck(runs, signals, actions, policy) === undefined ? 'allow' : 'flag';
}

/**
 * The check for which the policy flags although it did not fail: because of one of its signals, or because it could not
 * tell. A check without an action is ignored.
 */
function flaggingCheck(
  runs: CheckRuns,
  signals: readonly string[],
  actions: CheckActions,
  policy: FlagPolicy,
): CheckName | undefined {
  for (const signal of POLICY_SIGNALS) {
    const { check } = SIGNALS[signal];
    if (policy.signals[signal] === 'flag' && signals.includes(signal) && actions[check] !== undefined)
      return check;
  }
  const flagsUnknown = (check: CheckName) =>
    (check === 'mx' && policy.unknownMx === 'flag') || (check === 'ip' && policy.unknownIp === 'flag');
  const unknown = runs.find(
    ({ check, finding }) =>
      finding.result === 'unknown' && flagsUnknown(check) && actions[check] !== undefined,
  );
  return unknown?.check;
}

/** The failed check with the strongest action. Ties go to the first in check order. */
function strongestFailure(runs: CheckRuns, actions: CheckActions): CheckName | undefined {
  let decisive: CheckName | undefined;
  let strength = -1;
  for (const { check, finding } of runs) {
    if (finding.result !== 'failed') continue;
    const own = ACTIONS.indexOf(actions[check] ?? 'allow');
    if (own > strength) {
      strength = own;
      decisive = check;
    }
  }
  return decisive;
}

function signalsOf(runs: CheckRuns): Signal[] {
  const signals: Signal[] = [];
  for (const { finding } of runs) {
    for (const signal of finding.signals ?? []) {
      if (!signals.includes(signal)) signals.push(signal);
    }
  }
  return signals;
}
