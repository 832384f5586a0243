import type { CheckActions, CheckName } from '@postern/contract';
import type { CheckEffect } from './outcome-report.ts';

/** With fewer known people than this, there are no suggestions. */
export const LEAST_KNOWN = 30;
/** A change must stop a share of the bad that is at least this many times the share of the good. */
const LEAST_ADVANTAGE = 5;

export interface Suggestion {
  readonly sentence: string;
  readonly check: CheckName;
  /** What to change in the policy. */
  readonly actions: CheckActions;
  readonly badStopped: number;
  readonly badTotal: number;
  readonly goodHit: number;
  readonly goodTotal: number;
}

/** Checks that do not block today and would have stopped many of the bad and few of the good. Best first. */
export function suggestBlocking(
  effects: readonly CheckEffect[],
  totals: { readonly bad: number; readonly good: number },
  current: CheckActions,
  days: number,
): Suggestion[] {
  if (totals.bad + totals.good < LEAST_KNOWN) return [];
  return effects
    .filter(({ check, bad, good }) => {
      if (current[check] === 'block' || bad + good < LEAST_KNOWN || bad === 0) return false;
      const badShare = bad / Math.max(1, totals.bad);
      const goodShare = good / Math.max(1, totals.good);
      return badShare >= LEAST_ADVANTAGE * goodShare;
    })
    .sort((one, other) => other.bad - one.bad)
    .map(({ check, bad, good }) => ({
      check,
      actions: { [check]: 'block' as const },
      badStopped: bad,
      badTotal: totals.bad,
      goodHit: good,
      goodTotal: totals.good,
      sentence: `Blocking on \`${check}\` would have stopped ${count(bad)} of ${count(totals.bad)} bad and ${count(good)} of ${count(totals.good)} good sign-ups in ${days} days.`,
    }));
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
