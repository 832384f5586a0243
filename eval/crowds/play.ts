import { DAY_MS } from '@postern/contract';
import { createRandom } from '../random.ts';
import { FARMS, workOf } from './farms.ts';
import { CROWDS } from './honest.ts';
import { ordinaryLife, placeOf } from './people.ts';
import { createWorld, type SignUp } from './world.ts';

/** What became of the people of a crowd, a farm, or of everybody else (`''`) in one run. */
export interface Tally {
  readonly group: string;
  readonly people: number;
  readonly flagged: number;
  readonly blocked: number;
}

export interface Run {
  readonly perDay: number;
  /** `''` for a run without one. */
  readonly farm: string;
  readonly tallies: readonly Tally[];
  /** Windows Chrome users within 30 days, by which a farm with one browser is measured. */
  readonly classPeople: number;
}

const START = Date.UTC(2026, 8, 7);
const HISTORY_DAYS = 14;
const DAYS = 44;
/** In a run with a farm only some crowds come, so that they do not stand in for ordinary people. */
const CROWDS_BESIDE_A_FARM = 0.3;

/** Plays 44 days of a project: ordinary people, then crowds and perhaps a farm among them. */
function playRun(seed: number, perDay: number, farm: string): Run {
  const random = createRandom(seed);
  for (let skipped = 0; skipped < 20; skipped += 1) random();
  const place = placeOf(random, START, START + HISTORY_DAYS * DAY_MS, START + DAYS * DAY_MS);
  const signUps: SignUp[] = ordinaryLife(place, perDay);
  for (const [name, { people }] of Object.entries(CROWDS)) {
    const share = farm === '' ? 0.5 : CROWDS_BESIDE_A_FARM;
    if (random() < share) signUps.push(...people(place, name, perDay));
  }
  const shape = FARMS[farm];
  if (shape !== undefined) signUps.push(...workOf(place, farm, shape));
  signUps.sort((one, other) => one.at - other.at);
  const ask = createWorld();
  const tallies = new Map<string, { group: string; people: number; flagged: number; blocked: number }>();
  for (const signUp of signUps) {
    const { flagged, blocked } = ask(signUp);
    const { group } = signUp;
    const tally = tallies.get(group) ?? { group, people: 0, flagged: 0, blocked: 0 };
    tally.people += 1;
    if (flagged) tally.flagged += 1;
    if (blocked) tally.blocked += 1;
    tallies.set(group, tally);
  }
  return { perDay, farm, tallies: [...tallies.values()], classPeople: 0.22 * perDay * 30 };
}

const SIZES = [10, 100, 1_000];

/** Every farm and a run without one, in projects of each size. */
export function* playAll(seeds: number, first: number, sizes: readonly number[] = SIZES): Generator<Run> {
  for (let seed = 0; seed < seeds; seed += 1)
    for (const perDay of sizes)
      for (const [index, farm] of ['', '', ...Object.keys(FARMS)].entries())
        yield playRun(first + 7_919 * seed + 31 * index + perDay, perDay, farm);
}
