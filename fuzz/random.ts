import { seededRandom } from '../packages/service/test/support/seeded-random.ts';

/** A whole number below another one, the same for the same seed. */
export type Random = (below: number) => number;

export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  return (below) => Math.floor(next() * below);
}
