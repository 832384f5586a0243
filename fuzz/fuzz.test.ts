import { describe, expect, it } from 'vitest';
import { ALL_TARGETS } from './all-targets.ts';
import { BrokenPromise, fuzzTarget, readCorpus } from './fuzz-target.ts';
import { mutate } from './mutate.ts';
import { createRandom } from './random.ts';

describe.each(ALL_TARGETS.map((target) => [target.name, target] as const))('%s', (name, target) => {
  it('passes with its corpus and in a short run', async () => {
    const least = name === 'http-bytes' ? 300 : 3_000;
    const { inputs } = await fuzzTarget(target, { seed: 1, goOn: (done) => done < least });
    expect(inputs).toBe(least);
  });
});

describe('a run', () => {
  it('tries the same inputs for the same seed, and others for another', () => {
    const inputs = (seed: number) => {
      const random = createRandom(seed);
      const corpus = readCorpus('addresses');
      return Array.from({ length: 50 }, () => mutate(corpus, ['@'], random).toString('hex'));
    };
    expect(inputs(7)).toEqual(inputs(7));
    expect(inputs(7)).not.toEqual(inputs(8));
  });

  it('fails when a target throws', async () => {
    const broken = fuzzTarget(
      {
        name: 'origins',
        words: [],
        open: async () => ({
          check: () => {
            throw new Error('broken');
          },
          close: async () => {},
        }),
      },
      { seed: 1, goOn: () => true, keepInput: () => 'nowhere' },
    );
    await expect(broken).rejects.toThrow(BrokenPromise);
  });
});
