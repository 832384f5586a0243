/**
 * How many lines of source each part may have. `npm run structure` fails above it. Only a decision in docs/decisions/
 * may raise a row (docs/decisions/0012-line-budget.md holds the targets). When code goes, lower the row in the same change.
 *
 * Counted are .ts, .tsx and .mjs files, generated ones included, without tests: `*.test.*` and everything in a `test` folder.
 */
export const LINE_BUDGET = [
  { part: 'service', folders: /^packages\/service\//, lines: 50_539 },
  { part: 'dashboard', folders: /^packages\/dashboard\//, lines: 19_271 },
  { part: 'contract', folders: /^packages\/contract\//, lines: 7_498 },
  { part: 'cli', folders: /^packages\/cli\//, lines: 3_626 },
  { part: 'sdk-*', folders: /^packages\/sdk(-[^/]+)?\//, lines: 6_401 },
  { part: 'scripts, bench, eval', folders: /^(scripts|bench|eval)\//, lines: 7_427 },
  // Includes any folder that is new, so that no code is left uncounted.
  { part: 'fuzz, examples, deploy, other', folders: /^/, lines: 2_844 },
];

const isTestFile = (path) => /\.test\.[^/]+$|(^|\/)test\//.test(path);

/** The lines of each part. A file belongs to the first row that matches. */
export function countLines(files, budget = LINE_BUDGET) {
  const rows = budget.map(({ part, lines }) => ({ part, lines: 0, budget: lines }));
  for (const { path, lines } of files.filter((file) => !isTestFile(file.path))) {
    const row = rows[budget.findIndex(({ folders }) => folders.test(path))];
    if (row !== undefined) row.lines += lines;
  }
  return rows;
}

export function overBudget(rows) {
  return rows
    .filter(({ lines, budget }) => lines > budget)
    .map(
      ({ part, lines, budget }) =>
        `${part} has ${lines} lines: its budget is ${budget}. Remove code, or raise the row with a decision (see scripts/line-budget.mjs)`,
    );
}

export function describeLines(rows) {
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const together = { part: 'together', lines: sum('lines'), budget: sum('budget') };
  const number = (value) => value.toLocaleString('en-US').padStart(9);
  return [
    `${'source lines'.padEnd(30)}${'now'.padStart(9)}${'budget'.padStart(9)}`,
    ...[...rows, together].map(
      ({ part, lines, budget }) => `${part.padEnd(30)}${number(lines)}${number(budget)}`,
    ),
  ].join('\n');
}
