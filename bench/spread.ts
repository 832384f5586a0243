/**
 * One project’s requests, sent at a steady rate to one, four or sixteen stores on one PostgreSQL, like that many
 * processes: `node --import tsx bench/spread.ts`. It checks the results of bench/contention.ts against a real database.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../packages/service/dist/open-store.js';
import type { Store, Submission } from '../packages/service/dist/store/store.js';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { prepare } from './settle.ts';

const SPREADS = [1, 4, 16];
const RATES = [300, 1_000];
const SECONDS = 5;

interface Seen {
  readonly waits: number[];
  failed: number;
}

async function send(
  stores: readonly Store[],
  submission: () => Submission,
  perSecond: number,
  seconds: number,
): Promise<Seen> {
  const seen: Seen = { waits: [], failed: 0 };
  const underWay: Promise<void>[] = [];
  const began = performance.now();
  const one = async (store: Store): Promise<void> => {
    const since = performance.now();
    try {
      await store.settle(submission());
      seen.waits.push(performance.now() - since);
    } catch {
      seen.failed += 1;
    }
  };
  let sent = 0;
  for (let elapsed = 0; elapsed < seconds * 1_000; elapsed = performance.now() - began) {
    for (const due = Math.floor((elapsed / 1_000) * perSecond); sent < due; sent += 1) {
      const store = stores[Math.floor(Math.random() * stores.length)];
      if (store) underWay.push(one(store));
    }
    await sleep(1);
  }
  await Promise.all(underWay);
  seen.waits.sort((a, b) => a - b);
  return seen;
}

const postgres = await postgresServer();
try {
  const { url } = await postgres.database();
  const stores: Store[] = [];
  while (stores.length < Math.max(...SPREADS))
    stores.push(await openStore({ dataDir: '', databaseUrl: url }));
  const [first] = stores;
  if (!first) throw new Error('There is no store');
  const submission = await prepare(first);
  for (const spread of SPREADS) await send(stores.slice(0, spread), submission, 300, 2);
  console.log('| requests/s | stores | p50 ms | p99 ms | refused |');
  console.log('| --- | --- | --- | --- | --- |');
  for (const rate of RATES) {
    for (const spread of SPREADS) {
      const { waits, failed } = await send(stores.slice(0, spread), submission, rate, SECONDS);
      const at = (part: number) => Math.round(waits[Math.floor(waits.length * part)] ?? Number.NaN);
      console.log(`| ${rate} | ${spread} | ${at(0.5)} | ${at(0.99)} | ${failed} |`);
    }
  }
  for (const store of stores) await store.close();
} finally {
  await postgres.remove();
}
