import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { FARMS, isForwarderFarm } from './farms.ts';
import { CROWDS } from './honest.ts';
import type { Run, Tally } from './play.ts';

const SOURCES = ['model/crowds.ts', 'store/settle/crowd.ts', 'store/settle/device.ts'];

/** Changes with the code that judges crowds. */
function codeVersion(): string {
  const hash = createHash('sha256');
  for (const path of SOURCES)
    hash.update(readFileSync(new URL(`../../packages/service/src/${path}`, import.meta.url)));
  return hash.digest('hex').slice(0, 12);
}

const percent = (part: number, of: number) => (of === 0 ? '' : `${((100 * part) / of).toFixed(2)}%`);

function sum(tallies: readonly Tally[]) {
  const of = (field: 'people' | 'flagged' | 'blocked') =>
    tallies.reduce((total, tally) => total + tally[field], 0);
  return { people: of('people'), flagged: of('flagged'), blocked: of('blocked') };
}

/** What each run’s farm tried and got, and whether that is within its goal. */
export function farmRuns(runs: readonly Run[]) {
  return runs.flatMap(({ perDay, farm, tallies, classPeople }) => {
    const tally = tallies.find(({ group }) => group === farm);
    const shape = FARMS[farm];
    if (tally === undefined || shape === undefined) return [];
    const got = tally.people - tally.flagged;
    return [
      {
        farm,
        perDay,
        tries: tally.people,
        got,
        inGoal: got <= shape.goal(tally.people, classPeople, perDay),
      },
    ];
  });
}

export function honestTallies(runs: readonly Run[], group: string): Tally[] {
  return runs.flatMap(({ farm, tallies }) =>
    tallies.filter((tally) => tally.group === group && (farm === '' || tally.group !== farm)),
  );
}

/** The two tables of docs/accuracy.md. */
export function crowdTables(runs: readonly Run[], seeds: number): string {
  const farms = farmRuns(runs);
  const middle = (numbers: readonly number[], place: number) =>
    [...numbers].sort((one, other) => one - other)[Math.floor(place * (numbers.length - 1))] ?? 0;
  const farmRow = (name: string) => {
    const own = farms.filter(({ farm }) => farm === name);
    const bySize = [10, 100, 1_000].map((size) =>
      middle(
        own.filter(({ perDay }) => perDay === size).map(({ got }) => got),
        0.5,
      ),
    );
    const got = own.map((each) => each.got);
    const tries = middle(
      own.map((each) => each.tries),
      0.5,
    );
    const goal =
      FARMS[name]?.goal(1, 1, 1) === Number.POSITIVE_INFINITY
        ? ''
        : `${own.filter(({ inGoal }) => inGoal).length} of ${own.length}`;
    return `| ${name} | ${tries} | ${middle(got, 0.5)} | ${middle(got, 0.9)} | ${bySize.join(' / ')} | ${goal} |`;
  };
  const quiet = runs.filter(({ farm }) => farm === '');
  const rented = runs.filter(({ farm }) => farm !== '' && isForwarderFarm(farm));
  const others = runs.filter(({ farm }) => farm !== '' && !isForwarderFarm(farm));
  const crowdRow = (label: string, group: string, promise: number) => {
    const shares = [quiet, rented, others].map((some) => {
      const { people, flagged } = sum(honestTallies(some, group));
      return percent(flagged, people);
    });
    const { people, blocked } = sum(honestTallies(runs, group));
    return `| ${label} | ${people} | ${shares.join(' | ')} | ${blocked} | ${100 * promise}% |`;
  };
  return `Played with the judging code \`${codeVersion()}\`: ${runs.length} projects, ${seeds} seeds, 44 days each.

| Farm | Tries (median) | Got (median) | Got (90th percentile) | Got at 10 / 100 / 1,000 sign-ups a day | Runs within the goal |
|---|---|---|---|---|---|
${Object.keys(FARMS).map(farmRow).join('\n')}

| Honest people | People | Flagged, no farm | Flagged beside a farm on forwarders or web hosts | Flagged beside another farm | Blocked | Promise |
|---|---|---|---|---|---|---|
${crowdRow('everybody else', '', 0.01)}
${Object.entries(CROWDS)
  .map(([name, { promise }]) => crowdRow(name, name, promise))
  .join('\n')}
`;
}
