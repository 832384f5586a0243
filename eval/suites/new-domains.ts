import type { TimeSplits } from '../accuracy-figures.ts';
import { share } from '../figures.ts';
import type { Suite } from '../suite.ts';
import {
  DEFAULT_SPLIT,
  type LaterName,
  measureTimeSplit,
  SPLIT_DAYS,
  type TimeSplit,
} from '../time-split.ts';

const measured = new Map<string, Promise<TimeSplit>>();

/** Measured once per run, because both the table and the page show it. */
function timeSplit(split: string): Promise<TimeSplit> {
  const known = measured.get(split) ?? measureTimeSplit({ split });
  measured.set(split, known);
  return known;
}

/** The split at the default day, and those at all days. */
export async function timeSplits(): Promise<TimeSplits> {
  const all: TimeSplit[] = [];
  for (const day of SPLIT_DAYS) all.push(await timeSplit(day));
  return { shown: await timeSplit(DEFAULT_SPLIT), all };
}

/** Throwaway domains that were first seen after the data’s day, among real domains without their guard. */
export const newDomainsSuite: Suite = {
  name: 'newDomains',
  run: async () => {
    const { later, real, rules, split } = await timeSplit(DEFAULT_SPLIT);
    const isFound = ({ rule }: LaterName) => rule !== undefined;
    const isOnNoList = ({ onAList }: LaterName) => !onAList;
    const accused = rules.flatMap((rule) => rule.accused.map((name) => ({ name, rule: rule.rule })));
    return {
      entries: later.length + real.length,
      figures: {
        recall: share(later, isFound),
        spared: share(real, (name) => !accused.some((one) => one.name === name)),
        onAList: share(later, isFound, ({ onAList }) => onAList),
        onNoList: share(later, isFound, isOnNoList),
        onNoListFoundOrHinted: share(later, (one) => isFound(one) || one.hints.length > 0, isOnNoList),
      },
      misses: [
        ...accused.map(({ name, rule }) => ({
          entry: name,
          what: `wrongly found without the guard: ${rule}`,
        })),
        ...later
          .filter((one) => !isFound(one))
          .map(({ name }) => ({ entry: name, what: `missed: first seen after ${split}` })),
      ],
    };
  },
};
