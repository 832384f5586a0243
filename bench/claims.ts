/**
 * `npm run bench -- --claims [--count 20000]`: what a claim costs when few and when many are held, what 200 claims of one
 * person at once are granted, and what the sweep takes. On each store, the store operation alone, 64 claims at a time.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DAY_MS } from '@postern/contract';
import { type Claimed, createTakeClaim } from '../packages/service/dist/claims/take-claim.js';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { sqliteDatabase } from '../packages/service/test/support/sqlite-database.ts';
import { makeCaller } from '../packages/service/test/support/store-fixtures.ts';
import { startResults, whole } from './results.ts';

const { values } = parseArgs({ options: { count: { type: 'string', default: '20000' } } });
const COUNT = Number(values.count);
const PART = Math.min(10_000, COUNT / 2);

const hash = () => randomBytes(16).toString('base64url');
const newPerson = (inbox = hash()): Claimed => ({
  claim: 'trial',
  handles: new Map([
    [`inbox:${inbox}`, 'inbox'],
    [`trace:card:${hash()}`, 'trace:card'],
  ]),
  own: undefined,
  inbox,
  maskedAddress: 'j***@gmail.com',
  claimant: null,
  keyHash: null,
  dryRun: false,
});

const results = startResults('Claims', `${whole(COUNT)} people, each with an inbox and a card.`);
const server = await postgresServer({ fsync: 'on', synchronous_commit: 'on' });
const rows: string[][] = [];
for (const [name, database] of [
  ['SQLite', await sqliteDatabase()],
  ['PostgreSQL', await server.database()],
] as const) {
  const store = await database.open();
  const { project } = await makeCaller(store);
  const take = createTakeClaim({ store, keyedHash: () => '', now: Date.now });
  const claimMany = async (count: number) => {
    let left = count;
    const [cpu, since] = [process.cpuUsage(), performance.now()];
    const work = async () => {
      while (left > 0) {
        left -= 1;
        if (!(await take(project, newPerson())).granted) throw new Error('A new person was refused');
      }
    };
    await Promise.all(Array.from({ length: 64 }, work));
    const { user, system } = process.cpuUsage(cpu);
    return [whole((user + system) / count), whole((count * 1_000) / (performance.now() - since))];
  };
  const few = await claimMany(PART);
  await claimMany(COUNT - 2 * PART);
  const many = await claimMany(PART);
  const one = hash();
  const answers = await Promise.all(Array.from({ length: 200 }, () => take(project, newPerson(one))));
  const granted = answers.filter((answer) => answer.granted).length;
  const limits = { maxRows: 500, logRetentionMs: DAY_MS, outcomeRetentionMs: DAY_MS, logMaxRows: 1_000 };
  const since = performance.now();
  let swept = 0;
  for (let count = 1; count > 0; swept += count) count = await store.sweep(Date.now() + 500 * DAY_MS, limits);
  const perSecond = whole((swept * 1_000) / (performance.now() - since));
  rows.push([name, ...few, ...many, `${granted} of 200`, perSecond]);
  await store.close();
  await database.remove();
}
await server.remove();
results.table(
  [
    'store',
    'CPU µs of the process, few held',
    'claims/s',
    `CPU µs, ${whole(COUNT)} held`,
    'claims/s',
    'granted of one person’s',
    'rows swept/s',
  ],
  rows,
);
