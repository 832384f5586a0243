import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { accuracyFigures, splitFigures, withFigures } from './accuracy-figures.ts';
import { playAll } from './crowds/play.ts';
import { crowdTables } from './crowds/tables.ts';
import { breaches, type Floors, type Measured } from './floors.ts';
import { foundByAgeList } from './loss-by-age.ts';
import { judgeRealDomains } from './real-domains.ts';
import { table } from './report.ts';
import { Missing, type Suite } from './suite.ts';
import { aliasSuite } from './suites/alias.ts';
import { crowdsSuite } from './suites/crowds.ts';
import { disposableSuite } from './suites/disposable.ts';
import { domainTypoSuite } from './suites/domain-typo.ts';
import { ipSuite } from './suites/ip.ts';
import { newDomainsSuite, timeSplits } from './suites/new-domains.ts';
import { randomLocalPartSuite } from './suites/random-local-part.ts';
import { randomTyposSuite } from './suites/random-typos.ts';
import { residentialSuite } from './suites/residential.ts';
import { roleEmailSuite } from './suites/role-email.ts';
import { syntaxSuite } from './suites/syntax.ts';
import { torExitsSuite } from './suites/tor-exits.ts';
import { automatedSuite, browserSuite } from './suites/user-agent.ts';
import { DEFAULT_SPLIT, measureTimeSplit } from './time-split.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

const SUITES: readonly Suite[] = [
  syntaxSuite,
  disposableSuite,
  newDomainsSuite,
  domainTypoSuite,
  randomTyposSuite,
  roleEmailSuite,
  randomLocalPartSuite,
  crowdsSuite,
  aliasSuite,
  ipSuite,
  torExitsSuite,
  residentialSuite,
  browserSuite,
  automatedSuite,
];

/** A suite whose data is missing is reported as missing. Any other error is thrown. */
async function measure(suite: Suite): Promise<Measured> {
  try {
    return await suite.run();
  } catch (fault) {
    if (fault instanceof Missing) return { missing: fault.message };
    if (fault instanceof Error && 'code' in fault && fault.code === 'ERR_MODULE_NOT_FOUND') {
      return { missing: fault.message.replaceAll(ROOT, '') };
    }
    throw fault;
  }
}

const DEFAULT_FLOORS = fileURLToPath(new URL('./floors.json', import.meta.url));

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    suite: { type: 'string' },
    write: { type: 'boolean', default: false },
    split: { type: 'string' },
    names: { type: 'string' },
    real: { type: 'string' },
    crowds: { type: 'string' },
    seed: { type: 'string', default: '50000' },
    floors: { type: 'string', default: DEFAULT_FLOORS },
  },
});
if (options.split !== undefined || options.names !== undefined) {
  const split = await measureTimeSplit({ split: options.split ?? DEFAULT_SPLIT, namesFile: options.names });
  process.stdout.write(`${Object.values(splitFigures(split)).join('\n\n')}\n`);
  process.exit(0);
}
if (options.real !== undefined) {
  process.stdout.write(`${await judgeRealDomains(options.real)}\n`);
  process.exit(0);
}
if (options.crowds !== undefined) {
  const seeds = Number(options.crowds);
  const tables = crowdTables([...playAll(seeds, Number(options.seed))], seeds);
  if (options.write) await writeFile(new URL('./crowds/tables.md', import.meta.url), tables);
  process.stdout.write(tables);
  process.exit(0);
}
const suites = SUITES.filter(({ name }) => options.suite === undefined || name === options.suite);
if (suites.length === 0) {
  throw new Error(
    `Unknown suite "${options.suite}". The suites are: ${SUITES.map(({ name }) => name).join(', ')}`,
  );
}
const measured = new Map<string, Measured>();
for (const suite of suites) measured.set(suite.name, await measure(suite));

const allFloors = JSON.parse(await readFile(options.floors, 'utf8')) as Floors;
const floors: Floors =
  options.suite === undefined ? allFloors : { [options.suite]: allFloors[options.suite] ?? {} };
const below = [...breaches(floors, measured), ...(await pageBreaches())];

/** The written files show all suites, so a run of one suite does not write or compare them. */
async function pageBreaches(): Promise<string[]> {
  const whole = options.suite === undefined && options.floors === DEFAULT_FLOORS;
  if (!whole) return [];
  const splits = await timeSplits();
  const figures = accuracyFigures(measured, splits);
  const written = {
    'docs/accuracy.md': (page: string) => withFigures(page, figures),
    'packages/service/lists/domains/found-by-age.tsv': () => foundByAgeList(splits.all),
  };
  const outdated: string[] = [];
  for (const [path, make] of Object.entries(written)) {
    const url = new URL(`../${path}`, import.meta.url);
    const present = await readFile(url, 'utf8').catch(() => '');
    const text = make(present);
    if (options.write) await writeFile(url, text);
    else if (present !== text) outdated.push(`${path} is out of date: run npm run eval -- --write`);
  }
  return outdated;
}

if (options.json) {
  process.stdout.write(
    `${JSON.stringify({ suites: Object.fromEntries(measured), floors, below }, null, 2)}\n`,
  );
} else {
  process.stdout.write(`${table(measured, options.all)}\n`);
  const missing = [...measured.values()].filter((result) => 'missing' in result).length;
  if (missing > 0) process.stdout.write(`\n${missing} of ${suites.length} suites could not run\n`);
  for (const sentence of below) process.stdout.write(`BELOW THE FLOOR  ${sentence}\n`);
  if (below.length === 0) process.stdout.write('\nEvery figure with a floor is at or above it.\n');
}
process.exitCode = below.length === 0 ? 0 : 1;
