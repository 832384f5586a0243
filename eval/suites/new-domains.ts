import { share } from '../figures.ts';
import { OURS, type Suite } from '../suite.ts';
import { DEFAULT_SPLIT, measureTimeSplit, SPLIT_DAYS, type TimeSplit } from '../time-split.ts';

const measured = new Map<string, Promise<TimeSplit>>();

/** Measured once per run, because both the table and the page show it. */
function timeSplit(split: string): Promise<TimeSplit> {
  const known = measured.get(split) ?? measureTimeSplit({ split });
  measured.set(split, known);
  return known;
}

/** The split at the default day, and those at all days. */
export async function timeSplits(): Promise<{
  readonly shown: TimeSplit;
  readonly all: readonly TimeSplit[];
}> {
  const all: TimeSplit[] = [];
  for (const day of SPLIT_DAYS) all.push(await timeSplit(day));
  return { shown: await timeSplit(DEFAULT_SPLIT), all };
}

/** Throwaway domains that were first seen after the data’s day, among real domains without their guard. */
export const newDomainsSuite: Suite = {
  name: 'newDomains',
  run: async () => {
    const { later, missed, real, rules, split } = await timeSplit(DEFAULT_SPLIT);
    const found = later.length - missed.length;
    const accused = rules.flatMap((rule) => rule.accused.map((name) => ({ name, rule: rule.rule })));
    return {
      entries: later.length + real.length,
      scores: [
        {
          contestant: OURS,
          figures: {
            precision: { hits: found, of: found + accused.length },
            recall: { hits: found, of: later.length },
            realSpared: share(real, (name) => !accused.some((one) => one.name === name)),
          },
          misses: [
            ...accused.map(({ name, rule }) => ({
              entry: name,
              what: `wrongly found without the guard: ${rule}`,
            })),
            ...missed.map((name) => ({ entry: name, what: `missed: first seen after ${split}` })),
          ],
        },
      ],
    };
  },
};
