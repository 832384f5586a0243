import { isCheckName, isPolicySignal, SIGNALS } from '@postern/contract';
import type { PolicyPatch, ProjectPolicy } from '@postern/contract/project-fields';
import type { ChangeEffect } from './outcome-report.ts';

/** With fewer known people than this, there are no suggestions. */
const LEAST_KNOWN = 30;
/** A change must hit a share of the bad that is at least this many times the share of the good. */
const LEAST_ADVANTAGE = 5;

export interface Suggestion {
  readonly sentence: string;
  readonly kind: 'signal' | 'check';
  readonly name: string;
  /** What to change in the policy. */
  readonly policy: Pick<PolicyPatch, 'actions' | 'signals'>;
  readonly badStopped: number;
  readonly badTotal: number;
  readonly goodHit: number;
  readonly goodTotal: number;
}

/** Checks to block on and signals to flag that would have hit many of the bad and few of the good. Best first. */
export function suggestChanges(
  effects: readonly ChangeEffect[],
  totals: { readonly bad: number; readonly good: number },
  current: Pick<ProjectPolicy, 'actions' | 'signals'>,
  days: number,
): Suggestion[] {
  return effects
    .filter((effect) => speaksForItself(effect, totals))
    .sort((one, other) => other.bad - one.bad || one.good - other.good)
    .flatMap((effect) => {
      const policy = changeFor(effect, current);
      if (policy === undefined) return [];
      const { kind, name, bad, good } = effect;
      const badOf = `${count(bad)} of ${count(totals.bad)} bad`;
      const goodOf = `${count(good)} of ${count(totals.good)} good sign-ups`;
      const sentence =
        kind === 'check'
          ? `Blocking on \`${name}\` would have stopped ${badOf} and ${goodOf} in ${days} days.`
          : `Flagging on \`${name}\` would have sent ${badOf} and ${goodOf} to review in ${days} days.`;
      return {
        sentence,
        kind,
        name,
        policy,
        badStopped: bad,
        badTotal: totals.bad,
        goodHit: good,
        goodTotal: totals.good,
      };
    });
}

function speaksForItself(
  { known, bad, good }: ChangeEffect,
  totals: { readonly bad: number; readonly good: number },
): boolean {
  if (known < LEAST_KNOWN || bad === 0) return false;
  const badShare = bad / Math.max(1, totals.bad);
  const goodShare = good / Math.max(1, totals.good);
  return badShare >= LEAST_ADVANTAGE * goodShare;
}

/** `undefined`: the policy does it already, or has no setting for it. */
function changeFor(
  { kind, name }: ChangeEffect,
  { actions, signals }: Pick<ProjectPolicy, 'actions' | 'signals'>,
): Suggestion['policy'] | undefined {
  if (kind === 'check')
    return isCheckName(name) && actions[name] !== 'block' ? { actions: { [name]: 'block' } } : undefined;
  // A signal of a check that is off is not raised.
  if (!isPolicySignal(name) || signals[name] === 'flag' || actions[SIGNALS[name].check] === undefined)
    return undefined;
  return { signals: { [name]: 'flag' } };
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
