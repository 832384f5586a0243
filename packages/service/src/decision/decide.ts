import {
  ACTIONS,
  type Action,
  type CheckActions,
  type CheckName,
  type LanguageTag,
  type Message,
  POLICY_SIGNALS,
  type Recommendation,
  SIGNALS,
  type Signal,
} from '@postern/contract';
import { type Rule, ruleSignal } from '@postern/contract/rules';
import type { FoundBy } from '../model/finding.ts';
import type { Judgement } from '../model/judgement.ts';
import type { ProjectPolicy } from '../model/project.ts';
import { type MessagePolicy, messageFor, neutralMessage } from './message-text.ts';

/** What flags a validation although no check failed. */
export type FlagPolicy = Pick<ProjectPolicy, 'signals' | 'unknownMx' | 'unknownIp' | 'crowd'>;

/** Only failed checks count. */
const FLAG_NOTHING: FlagPolicy = { signals: {}, unknownMx: 'pass', unknownIp: 'pass', crowd: 'allow' };

/** What the person is told. Nothing if the answer is `allow`. `quiet`: without a reason. */
export function messageOf(
  { recommendation, check, rule }: Pick<Judgement, 'recommendation' | 'check' | 'rule'>,
  { policy, rules }: { readonly policy: MessagePolicy; readonly rules: readonly Rule[] },
  language: LanguageTag,
  runs: readonly FoundBy[],
  quiet = false,
): Message | null {
  if (recommendation === 'allow') return null;
  if (quiet) return neutralMessage(language);
  if (check !== null) {
    const finding = runs.find((run) => run.check === check)?.finding;
    return messageFor(policy, language, check, finding?.result === 'failed' ? finding.message : undefined);
  }
  const own = rule === null ? undefined : rules.find(({ id }) => id === rule)?.message;
  return own === undefined ? neutralMessage(language) : { text: own, language };
}

/** The signals of the answer: those of a judgement, and one for each live rule that matched. */
export function answerSignals({ signals, rules }: Pick<Judgement, 'signals' | 'rules'>): Signal[] {
  return [...signals, ...rules.map(ruleSignal)];
}

/** The recommendation alone. Pass `signals` if the findings no longer carry them. */
export function recommend(
  runs: readonly FoundBy[],
  actions: CheckActions,
  policy: FlagPolicy = FLAG_NOTHING,
  signals: readonly string[] = signalsOf(runs),
): Recommendation {
  return strongestReason(runs, actions, policy, signals).recommendation;
}

/** The recommendation and the check that it is about, none for a crowd: its message names no check. A failed check comes before what the policy flags besides. */
export function strongestReason(
  runs: readonly FoundBy[],
  actions: CheckActions,
  policy: FlagPolicy,
  signals: readonly string[],
): { readonly recommendation: Recommendation; readonly check: CheckName | undefined } {
  const failed = strongestFailure(runs, actions, policy);
  if (failed !== undefined && failed.action !== 'allow')
    return { recommendation: failed.action, check: failed.byCrowd ? undefined : failed.check };
  const check = flaggingCheck(runs, signals, actions, policy);
  return { recommendation: check === undefined ? 'allow' : 'flag', check };
}

/**
 * The check for which the policy flags although it did not fail: because of one of its signals, or because it could not
 * tell. A check without an action is ignored. One whose action is `allow` does not flag because it could not tell: not
 * even its failure would.
 */
function flaggingCheck(
  runs: readonly FoundBy[],
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
  runs: readonly FoundBy[],
  actions: CheckActions,
  policy: Pick<FlagPolicy, 'crowd'>,
): Failure | undefined {
  let decisive: Failure | undefined;
  const note = (failure: Failure) => {
    if (decisive === undefined || ACTIONS.indexOf(failure.action) > ACTIONS.indexOf(decisive.action))
      decisive = failure;
  };
  for (const { check, finding } of runs) {
    if (finding.result !== 'failed') continue;
    const { atMost, crowd } = finding;
    if (crowd?.alone !== true)
      note({ check, action: weaker(actions[check] ?? 'allow', atMost), byCrowd: false });
    if (crowd !== undefined)
      note({ check, action: weaker(policy.crowd, crowd.flagsOnly ? 'flag' : undefined), byCrowd: true });
  }
  return decisive;
}

interface Failure {
  readonly check: CheckName;
  readonly action: Action;
  readonly byCrowd: boolean;
}

function weaker(action: Action, atMost: Action | undefined): Action {
  return atMost !== undefined && ACTIONS.indexOf(atMost) < ACTIONS.indexOf(action) ? atMost : action;
}

export function signalsOf(runs: readonly FoundBy[]): Signal[] {
  const signals: Signal[] = [];
  for (const { finding } of runs) {
    for (const signal of finding.signals ?? []) {
      if (!signals.includes(signal)) signals.push(signal);
    }
  }
  return signals;
}
