import {
  ACTIONS,
  type Action,
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
    const { text, language: written } = neutralMessage(language);
    return { ...decided, message: text, language: written };
  }
  const { recommendation, check } = strongestReason(runs, actions, policy, signals);
  if (recommendation === 'allow' || check === undefined)
    return { recommendation, message: null, language, signals };
  const message = messageFor(policy, language, check);
  return { recommendation, message: message.text, language: message.language, signals };
}

/** The recommendation alone. Pass `signals` if the findings no longer carry them. */
export function recommend(
  runs: CheckRuns,
  actions: CheckActions,
  policy: FlagPolicy = FLAG_NOTHING,
  signals: readonly string[] = signalsOf(runs),
): Recommendation {
  return strongestReason(runs, actions, policy, signals).recommendation;
}

/** The recommendation and the check that it is about. A failed check comes before what the policy flags besides. */
function strongestReason(
  runs: CheckRuns,
  actions: CheckActions,
  policy: FlagPolicy,
  signals: readonly string[],
): { readonly recommendation: Recommendation; readonly check: CheckName | undefined } {
  const failed = strongestFailure(runs, actions);
  if (failed !== undefined && failed.action !== 'allow')
    return { recommendation: failed.action, check: failed.check };
  const check = flaggingCheck(runs, signals, actions, policy);
  return { recommendation: check === undefined ? 'allow' : 'flag', check };
}

/**
 * The check for which the policy flags although it did not fail: because of one of its signals, or because it could not
 * tell. A check without an action is ignored. One whose action is `allow` does not flag because it could not tell: not
 * even its failure would.
 */
function flaggingCheck(
  runs: CheckRuns,
  signals: readonly string[],
  actions: CheckActions,
  policy: FlagPolicy,
): CheckName | undefined {
  // Most requests have no signal at all.
  for (const signal of signals.length === 0 ? [] : POLICY_SIGNALS) {
    const { check } = SIGNALS[signal];
    if (policy.signals[signal] === 'flag' && signals.includes(signal) && actions[check] !== undefined)
      return check;
  }
  for (const { check, finding } of runs) {
    if (finding.result !== 'unknown' || (actions[check] ?? 'allow') === 'allow') continue;
    if ((check === 'mx' ? policy.unknownMx : check === 'ip' ? policy.unknownIp : 'pass') === 'flag')
      return check;
  }
  return undefined;
}

/** The failed check with the strongest action. Ties go to the first in check order. */
function strongestFailure(
  runs: CheckRuns,
  actions: CheckActions,
): { readonly check: CheckName; readonly action: Action } | undefined {
  let decisive: { check: CheckName; action: Action } | undefined;
  for (const { check, finding } of runs) {
    if (finding.result !== 'failed') continue;
    const action = weaker(actions[check] ?? 'allow', finding.atMost);
    if (decisive === undefined || ACTIONS.indexOf(action) > ACTIONS.indexOf(decisive.action))
      decisive = { check, action };
  }
  return decisive;
}

function weaker(action: Action, atMost: Action | undefined): Action {
  return atMost !== undefined && ACTIONS.indexOf(atMost) < ACTIONS.indexOf(action) ? atMost : action;
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
