/** Prints the samples of soak.sh by quarters of the time, and fails if memory, files or log grow from the third to the last. */
import { readFileSync } from 'node:fs';

const COLUMNS = ['acknowledged', 'memory MB', 'store MB', 'log rows', 'rows swept', 'failed sweeps'];
const samples = readFileSync(process.argv[2], 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t').map(Number));

const quarters = [0, 1, 2, 3].map((index) =>
  samples.slice(Math.floor((index * samples.length) / 4), Math.floor(((index + 1) * samples.length) / 4)),
);
const highest = (quarter, column) => Math.max(...quarter.map((sample) => sample[column]));
console.log(['quarter', ...COLUMNS.map((name) => `${name}, highest`)].join(' | '));
for (const [index, quarter] of quarters.entries()) {
  console.log([index + 1, ...COLUMNS.map((_, column) => highest(quarter, column))].join(' | '));
}

const faults = [];
for (const [column, tolerance] of [
  [1, 1.15],
  [2, 1.15],
  [3, 1.25],
]) {
  const [before, after] = [highest(quarters[2], column), highest(quarters[3], column)];
  if (after > before * tolerance) faults.push(`${COLUMNS[column]} grew from ${before} to ${after}`);
}
if (highest(quarters[3], 4) === 0) faults.push('nothing was swept, so retention was not at work');
for (const fault of faults) console.log(`FAULT ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;
