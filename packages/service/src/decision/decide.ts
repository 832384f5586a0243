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
import { type Listing, listingSignal } from './own-lists.ts';

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
 * Applies the policy to the findings. The policy has an action for each failed check, and can flag passed checks for
 * some signals. An entry of the project’s own lists overrides both.
 */
export function decide(
  runs: CheckRuns,
  actions: CheckActions,
  policy: MessagePolicy & FlagPolicy,
  language: LanguageTag,
  listing?: Listing,
): Decision {
  if (listing !== undefined) return decideByList(runs, listing, policy, language);
  const signals = signalsOf(runs);
  const failed = strongestFailure(runs, actions);
  const recommendation = recommend(runs, actions, policy, signals);
  const failureDecides = failed !== undefined && actions[failed] === recommendation;
  const decisive = failureDecides ? failed : flaggingCheck(runs, signals, actions, policy);
  if (recommendation === 'allow' || decisive === undefined)
    return { recommendation, message: null, language, signals };
  const message = messageFor(policy, language, decisive);
  return { recommendation, message: message.text, language: message.language, signals };
}

function decideByList(
  runs: CheckRuns,
  listing: Listing,
  policy: MessagePolicy,
  language: LanguageTag,
): Decision {
  const recommendation = listing.action;
  const signals = [...signalsOf(runs), listingSignal(listing)];
  if (recommendation === 'allow') return { recommendation, message: null, language, signals };
  const message = neutralMessage(policy, language);
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
