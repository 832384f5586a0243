import { ACTIONS, type Recommendation } from '@postern/contract';
import type { Estimate, TimeMachineReport, ValidationRow } from '@postern/contract/dashboard';
import { type CountByAnswer, estimateOf, noCounts, type Sample } from '../outcomes/estimate.ts';
import type { LogRow } from '../store/store.ts';
import { validationRow } from './validation-row.ts';

const EXAMPLES = 5;

interface Change {
  readonly from: Recommendation;
  readonly to: Recommendation;
  /** By the answer in the log: a sample is taken of each of them by itself. */
  readonly counts: CountByAnswer;
  readonly examples: ValidationRow[];
}

/** Blocking matters more than flagging, however few they are. */
const touchesBlock = ({ from, to }: Pick<Change, 'from' | 'to'>) =>
  Number(from === 'block' || to === 'block');

/** Counts what today’s answers become under the edited policy and rules. */
export function createChangeTally() {
  const all: Change[] = ACTIONS.flatMap((from) =>
    ACTIONS.map((to) => ({ from, to, counts: noCounts(), examples: [] })),
  );
  /** Rows that get another answer today than the log says, by the answer in the log. */
  const otherwise = noCounts();
  /** Where no row gets another answer today, the answer in the log is today’s. */
  const isKept = (logged: Recommendation) => otherwise[logged] === 0;

  const countsOf = (wanted: (change: Change) => boolean, logged: Recommendation) =>
    all.filter(wanted).reduce((sum, { counts }) => sum + counts[logged], 0);

  /** How many validations these changes are. */
  const estimate = (sample: Sample, wanted: (change: Change) => boolean): Estimate => {
    const counts: Partial<CountByAnswer> = {};
    for (const logged of ACTIONS)
      if (!isKept(logged) || all.some((change) => wanted(change) && change.from === logged))
        counts[logged] = countsOf(wanted, logged);
    return estimateOf(counts, sample);
  };

  const today = (sample: Sample, answer: Recommendation): Estimate => {
    const counts: Partial<CountByAnswer> = {};
    for (const logged of ACTIONS)
      if (!isKept(logged)) counts[logged] = countsOf(({ from }) => from === answer, logged);
    const kept = isKept(answer) ? sample.total[answer] : 0;
    const { count, low, high } = estimateOf(counts, sample);
    return { count: kept + count, low: kept + low, high: kept + high };
  };

  return {
    add(row: LogRow, from: Recommendation, to: Recommendation): void {
      const change = all.find((one) => one.from === from && one.to === to);
      if (change === undefined) return;
      change.counts[row.recommendation] += 1;
      if (from !== row.recommendation) otherwise[row.recommendation] += 1;
      // Rows come newest first, and the newest are what people remember.
      if (from !== to && change.examples.length < EXAMPLES) change.examples.push(validationRow(row));
    },
    report(sample: Sample) {
      const becomes = (answer: Recommendation) => estimate(sample, ({ to }) => to === answer);
      const changed = all.filter(
        ({ from, to, counts }) => from !== to && ACTIONS.some((each) => counts[each] > 0),
      );
      const moved = ACTIONS.filter((logged) => !isKept(logged)).map((logged) => [logged, otherwise[logged]]);
      return {
        before: {
          allow: today(sample, 'allow'),
          flag: today(sample, 'flag'),
          block: today(sample, 'block'),
        },
        after: { allow: becomes('allow'), flag: becomes('flag'), block: becomes('block') },
        otherThen: estimateOf(Object.fromEntries(moved), sample),
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
