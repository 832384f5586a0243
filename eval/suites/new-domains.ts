import { share } from '../figures.ts';
import { OURS, type Suite } from '../suite.ts';
import { DEFAULT_SPLIT, measureTimeSplit, type TimeSplit } from '../time-split.ts';

let measured: Promise<TimeSplit> | undefined;

/** Measured once per run, because both the table and the page show it. */
export function timeSplit(): Promise<TimeSplit> {
  measured ??= measureTimeSplit({ split: DEFAULT_SPLIT });
  return measured;
}

/** Throwaway domains that were first seen after the data’s day, among real domains without their guard. */
export const newDomainsSuite: Suite = {
  name: 'newDomains',
  run: async () => {
    const { later, missed, real, rules, split } = await timeSplit();
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
