import { FARMS } from '../crowds/farms.ts';
import { CROWDS } from '../crowds/honest.ts';
import { playAll } from '../crowds/play.ts';
import { farmRuns, honestTallies } from '../crowds/tables.ts';
import type { Suite } from '../suite.ts';

const FIRST_SEED = 1_000;
/** Larger projects take minutes: `--crowds` plays them. */
const SIZES = [10, 100];

/** Farms and honest crowds, played through the code that settles and judges requests. */
export const crowdsSuite: Suite = {
  name: 'crowds',
  async run() {
    const runs = [...playAll(1, FIRST_SEED, SIZES)];
    const farms = farmRuns(runs).filter(
      ({ farm }) => FARMS[farm]?.goal(1, 1, 1) !== Number.POSITIVE_INFINITY,
    );
    const honest = ['', ...Object.keys(CROWDS)].flatMap((name) => honestTallies(runs, name));
    const total = (field: 'people' | 'flagged' | 'blocked') =>
      honest.reduce((sum, tally) => sum + tally[field], 0);
    const people = total('people');
    const missed = farms.filter(({ inGoal }) => !inGoal);
    return {
      entries: people + farms.reduce((sum, { tries }) => sum + tries, 0),
      figures: {
        recall: { hits: farms.length - missed.length, of: farms.length },
        spared: { hits: people - total('flagged'), of: people },
        notBlocked: { hits: people - total('blocked'), of: people },
      },
      misses: missed.map(({ farm, perDay, tries, got }) => ({
        entry: `${farm}, ${perDay} a day`,
        what: `got ${got} of ${tries}`,
      })),
    };
  },
};
