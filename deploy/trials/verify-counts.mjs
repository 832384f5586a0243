/**
 * Compares what was acknowledged with what the store has: postern export - | verify-counts.mjs ACKNOWLEDGED [--surplus N] [--load FILE]
 *
 * Every acknowledged request must be in the log once. The month’s quota and the statistics must agree with the log’s rows. The
 * store may have at most N requests more than were acknowledged (default 0). With --load FILE, the output of
 * counted-load.mjs, also as many as got a 503 or no answer: a 503 may have been counted.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { surplus: { type: 'string', default: '0' }, load: { type: 'string' } },
});

const { results = {} } = values.load === undefined ? {} : JSON.parse(readFileSync(values.load, 'utf8'));
const maxSurplus = Number(values.surplus) + (results['503'] ?? 0) + (results.unanswered ?? 0);
const logged = new Map();
const counted = { quota: new Map(), statistics: new Map() };
const add = (map, key, count) => map.set(key, (map.get(key) ?? 0) + count);
const ANSWERED = ['allow', 'flag', 'block'];
/** A line has a number and words. The first word of a validation is its recommendation. */
const countOf = (line) => (ANSWERED.includes(line.split(' ')[1]) ? Number(line.split(' ')[0]) : 0);

for await (const line of createInterface({ input: process.stdin })) {
  const [table, row] = line.startsWith('[') ? JSON.parse(line) : [];
  if (table === 'validation_log') add(logged, `${row.project_id} ${row.request_id}`, 1);
  else if (table === 'quota') add(counted.quota, row.project_id, row.used);
  else if (table === 'statistics') {
    const counts = JSON.parse(row.counts);
    for (const action of ANSWERED) add(counted.statistics, row.project_id, counts[action] ?? 0);
  } else if (table === 'statistics_change')
    for (const one of row.lines.split('\n')) add(counted.statistics, row.project_id, countOf(one));
}

const acknowledged = new Map();
let lost = 0;
let twice = 0;
for await (const line of createInterface({ input: createReadStream(positionals[0]) })) {
  add(acknowledged, line.split(' ')[0], 1);
  const rows = logged.get(line) ?? 0;
  if (rows === 0) lost += 1;
  if (rows > 1) twice += 1;
}
const rows = new Map();
for (const [key, count] of logged) add(rows, key.split(' ')[0], count);

const faults = [];
const total = (map) => [...map.values()].reduce((sum, count) => sum + count, 0);
for (const [project, count] of rows) {
  for (const [name, counts] of Object.entries(counted)) {
    if (counts.get(project) !== count)
      faults.push(`${project}: ${name} has ${counts.get(project)}, the log ${count} rows`);
  }
}
if (lost > 0) faults.push(`${lost} acknowledged requests are not in the log`);
if (twice > 0) faults.push(`${twice} acknowledged requests are in the log more than once`);
const surplus = total(rows) - total(acknowledged);
if (surplus < 0 || surplus > maxSurplus) faults.push(`surplus ${surplus}, expected 0 to ${maxSurplus}`);

console.log(
  `acknowledged ${total(acknowledged)}, in the log ${total(rows)}, quota ${total(counted.quota)}, ` +
    `lost ${lost}, twice ${twice}, counted without an answer ${surplus}`,
);
for (const fault of faults) console.log(`FAULT ${fault}`);
process.exitCode = faults.length > 0 || total(acknowledged) === 0 ? 1 : 0;
