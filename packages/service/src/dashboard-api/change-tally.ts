import { ACTIONS, type Recommendation } from '@postern/contract';
import type { Estimate, TimeMachineReport, ValidationRow } from '@postern/contract/dashboard';
import { type CountByAnswer, estimateOf, type Sample } from '../outcomes/estimate.ts';
import type { LogRow } from '../store/store.ts';
import { validationRow } from './validation-row.ts';

const EXAMPLES = 5;

interface Change {
  readonly from: Recommendation;
  readonly to: Recommendation;
  count: number;
  readonly examples: ValidationRow[];
}

/** Blocking matters more than flagging, however few they are. */
const touchesBlock = ({ from, to }: Pick<Change, 'from' | 'to'>) =>
  Number(from === 'block' || to === 'block');

/** Counts what the answers of a replay became. */
export function createChangeTally() {
  const all: Change[] = ACTIONS.flatMap((from) =>
    ACTIONS.map((to) => ({ from, to, count: 0, examples: [] })),
  );

  /** How many validations these changes are. */
  const estimate = (sample: Sample, wanted: (change: Change) => boolean): Estimate => {
    const counts: Partial<CountByAnswer> = {};
    for (const change of all.filter(wanted)) counts[change.from] = (counts[change.from] ?? 0) + change.count;
    return estimateOf(counts, sample);
  };

  return {
    add(row: LogRow, to: Recommendation): void {
      const change = all.find((one) => one.from === row.recommendation && one.to === to);
      if (change === undefined) return;
      change.count += 1;
      // Rows come newest first, and the newest are what people remember.
      if (change.from !== to && change.examples.length < EXAMPLES) change.examples.push(validationRow(row));
    },
    report(sample: Sample) {
      const becomes = (answer: Recommendation) => estimate(sample, ({ to }) => to === answer);
      const changed = all.filter(({ from, to, count }) => from !== to && count > 0);
      return {
        after: { allow: becomes('allow'), flag: becomes('flag'), block: becomes('block') },
        changes: changed
          .map((change): TimeMachineReport['changes'][number] => ({
            from: change.from,
            to: change.to,
            ...estimate(sample, (one) => one === change),
            examples: change.examples,
          }))
          .sort((one, other) => touchesBlock(other) - touchesBlock(one) || other.count - one.count),
        newlyBlocked: estimate(sample, ({ from, to }) => from !== to && to === 'block'),
        noLongerBlocked: estimate(sample, ({ from, to }) => from !== to && from === 'block'),
        newlyFlagged: estimate(sample, ({ from, to }) => from === 'allow' && to === 'flag'),
        noLongerFlagged: estimate(sample, ({ from, to }) => from === 'flag' && to === 'allow'),
      };
    },
  };
}
