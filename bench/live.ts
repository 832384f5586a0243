/**
 * `npm run bench -- --live [--viewers 10] [--rate 500] [--rounds 10] [--seconds 4]`: how long requests wait while people watch
 * the log in the dashboard. Slices with and without viewers alternate.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createAccessToken } from '../packages/service/dist/administration/access-tokens.js';
import { createAccount } from '../packages/service/dist/administration/accounts.js';
import { resultsSection, whole } from './results.ts';
import { measure, median, type PosternBench, type Row, startServiceTarget } from './validate-path.ts';

const { values } = parseArgs({
  options: {
    viewers: { type: 'string', default: '10' },
    rate: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '4' },
    quick: { type: 'boolean', default: false },
  },
});
const [viewers, rate, rounds, seconds] = [values.viewers, values.rate, values.rounds, values.seconds].map(
  Number,
) as [number, number, number, number];

async function createToken({ openStore }: PosternBench): Promise<string> {
  const store = await openStore();
  const admin = { store, now: Date.now, randomBytes, plans: new Map([['free', 1]]), actor: 'bench' };
  const account = { name: 'Bench', email: 'bench@example.com', password: 'correct horse battery' };
  const { id } = await createAccount(admin, account, 'owner');
  const { secret } = await createAccessToken(admin, id, { name: 'bench' });
  await store.close();
  return secret;
}

/** Opens the live log once. Returns how many events it got when it is closed. */
async function watch({ target, projectId }: PosternBench, token: string): Promise<() => Promise<number>> {
  const aborted = new AbortController();
  const url = `${target.running.url}/dashboard/api/v1/projects/${projectId}/validations/live`;
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    signal: aborted.signal,
  });
  if (!response.ok || response.body === null) throw new Error(`The live log answered ${response.status}`);
  let events = 0;
  const reading = (async () => {
    for await (const chunk of response.body ?? [])
      events += Buffer.from(chunk).toString().split('\ndata:').length - 1;
  })().catch(() => {});
  return async () => {
    aborted.abort();
    await reading;
    return events;
  };
}

const bench = await startServiceTarget();
const token = await createToken(bench);
const results = resultsSection(
  'The live log',
  'live',
  `${rate} requests a second, embedded store, ${rounds} slices of ${seconds} s with and without ${viewers} viewers of the live log, in turns. Medians; the ratio is the median of the slices’ ratios.`,
);
// At this rate rather than at saturation: the load is far from it.
for (let slice = 0; slice < 3; slice += 1) await measure('warm-up', bench.target, 64, seconds, rate);
const rows: Record<'alone' | 'watched', Row[]> = { alone: [], watched: [] };
let seen = 0;
for (let round = 0; round < rounds; round += 1) {
  for (const kind of round % 2 === 0 ? (['alone', 'watched'] as const) : (['watched', 'alone'] as const)) {
    const watching =
      kind === 'alone' ? [] : await Promise.all(Array.from({ length: viewers }, () => watch(bench, token)));
    // Viewers get the rows of the last seconds when they connect. That is over before the slice starts.
    await setTimeout(1_500);
    rows[kind].push(await measure(kind, bench.target, 64, seconds, rate));
    for (const stop of watching) seen += await stop();
  }
}
await bench.close();

const of = (kind: 'alone' | 'watched', field: 'p50' | 'p99' | 'cpuMicros') =>
  median(rows[kind].map((row) => row[field]));
const ratio = (field: 'p50' | 'p99' | 'cpuMicros') =>
  median(rows.watched.map((row, at) => row[field] / (rows.alone[at]?.[field] ?? Number.NaN))).toFixed(2);
results.table(
  ['', 'no viewer', `${viewers} viewers`, 'ratio'],
  [
    ['p50 ms', String(of('alone', 'p50')), String(of('watched', 'p50')), ratio('p50')],
    ['p99 ms', String(of('alone', 'p99')), String(of('watched', 'p99')), ratio('p99')],
    [
      'CPU µs per request',
      whole(of('alone', 'cpuMicros')),
      whole(of('watched', 'cpuMicros')),
      ratio('cpuMicros'),
    ],
  ],
);
results.print(
  `Each viewer got ${(seen / viewers / rounds / seconds).toFixed(1)} events a second, each with all new rows.`,
);
results.print();
if (!values.quick) await results.save();
