import { ACTIONS, type Recommendation } from '@postern/contract';
import type { TimeMachineReport } from '@postern/contract/dashboard';

type Change = TimeMachineReport['changes'][number];

export interface ReplaySummary {
  readonly newlyBlocked: number;
  readonly letThrough: number;
  /** Changes between allow and flag. They only change how many sign-ups are reviewed. */
  readonly newlyFlagged: number;
  readonly noLongerFlagged: number;
  /** The most important changes first. */
  readonly changes: readonly Change[];
}

const sum = (changes: readonly Change[], test: (change: Change) => boolean) =>
  changes.filter(test).reduce((total, change) => total + change.count, 0);

const strength = (value: Recommendation) => ACTIONS.indexOf(value);

export function summarise({ changes }: Pick<TimeMachineReport, 'changes'>): ReplaySummary {
  const touchesBlock = ({ from, to }: Change) => Number(from === 'block' || to === 'block');
  return {
    newlyBlocked: sum(changes, ({ to }) => to === 'block'),
    letThrough: sum(changes, ({ from }) => from === 'block'),
    newlyFlagged: sum(changes, ({ from, to }) => from === 'allow' && to === 'flag'),
    noLongerFlagged: sum(changes, ({ from, to }) => from === 'flag' && to === 'allow'),
    changes: [...changes]
      .filter(({ count }) => count > 0)
      .sort(
        (a, b) => touchesBlock(b) - touchesBlock(a) || b.count - a.count || strength(b.to) - strength(a.to),
      ),
  };
}
