/**
 * Measures the sweep while requests run: `node --import tsx bench/sweep.ts [sqlite|postgres] [projects] [requests a second]`.
 * Prints how many rows per second it removes, and how long requests wait with and without it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../packages/service/dist/open-store.js';
import type { Store, Submission } from '../packages/service/dist/store/store.js';
import { keepSweeping } from '../packages/service/dist/store/sweep-pace.js';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { prepare } from './settle.ts';

const [backEnd = 'sqlite', projectsGiven = '1', rateGiven = '1000'] = process.argv.slice(2);
const PROJECTS = Number(projectsGiven);
const RATE = Number(rateGiven);
const SECONDS = 8;
const DAY_MS = 86_400_000;
const OLD_REQUESTS = 40_000;

const folder = await mkdtemp(join(tmpdir(), 'postern-bench-'));
const server = backEnd === 'postgres' ? await postgresServer() : undefined;
const databaseUrl = server && (await server.database()).url;
const store = await openStore({ dataDir: folder, databaseUrl });
try {
  await run();
} finally {
  await store.close();
  await server?.remove();
  await rm(folder, { recursive: true });
}

async function run(): Promise<void> {
  const submissions: (() => Submission)[] = [];
  for (let number = 0; number < PROJECTS; number += 1) submissions.push(await prepare(store));
  const without = await load(store, submissions);
  await fill(submissions);
  let removed = 0;
  const steps: number[] = [];
  const counting: Pick<Store, 'sweep'> = {
    sweep: async (now, limits) => {
      const since = performance.now();
      const count = await store.sweep(now, limits);
      removed += count;
      steps.push(performance.now() - since);
      return count;
    },
  };
  const limits = { logRetentionMs: 30 * DAY_MS, logMaxRows: 1_000_000 };
  const stop = keepSweeping(counting, limits, {
    onSwept: () => {},
    now: Date.now,
    onFault: (fault) => console.error(fault),
    between: () => Promise.resolve(),
  });
  const withSweep = await load(store, submissions, () => removed);
  stop();
  console.log(`${backEnd}, ${PROJECTS} project(s), ${RATE} requests a second`);
  console.log(`without the sweep: ${percentiles(without.waits)}`);
  console.log(`during the sweep:  ${percentiles(withSweep.waits)}`);
  console.log(`sweep steps:       ${percentiles(steps)}`);
  console.log(`removed per second: ${withSweep.perSecond.join(' ')}`);
}

/** Old requests, each with its own device and inbox. */
async function fill(submissions: readonly (() => Submission)[]): Promise<void> {
  const past = Date.now() - 200 * DAY_MS;
  const each = Math.ceil(OLD_REQUESTS / submissions.length);
  for (const [project, submission] of submissions.entries()) {
    for (let number = 0; number < each; number += 200) {
      const batch = Array.from({ length: Math.min(200, each - number) }, (_, index) => {
        const name = `${project}-${number + index}`;
        const given = submission();
        if (!given.validation) throw new Error('The request has no validation');
        const device = { deviceHash: `d${name}`, networkHash: `n${name}`, threshold: 3, commonNetworks: 10 };
        const validation = { ...given.validation, inboxHash: `i${name}`, device };
        return store.settle({ ...given, now: past + number, month: '2026-04', validation });
      });
      await Promise.all(batch);
    }
  }
}

interface Measured {
  readonly waits: number[];
  readonly perSecond: number[];
}

async function load(
  to: Store,
  submissions: readonly (() => Submission)[],
  removed: () => number = () => 0,
): Promise<Measured> {
  const waits: number[] = [];
  const perSecond: number[] = [];
  const pending: Promise<void>[] = [];
  const began = performance.now();
  let sent = 0;
  let before = 0;
  for (let now = began; now - began < SECONDS * 1_000; now = performance.now()) {
    for (; sent < ((now - began) / 1_000) * RATE; sent += 1) {
      const submission = submissions[sent % submissions.length];
      if (!submission) continue;
      const since = performance.now();
      pending.push(
        to.settle(submission()).then(
          () => void waits.push(performance.now() - since),
          () => void waits.push(Number.POSITIVE_INFINITY),
        ),
      );
    }
    if ((now - began) / 1_000 >= perSecond.length + 1) {
      perSecond.push(removed() - before);
      before = removed();
    }
    await sleep(1);
  }
  await Promise.all(pending);
  return { waits, perSecond };
}

function percentiles(waits: number[]): string {
  const sorted = waits.sort((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, p99.9 ${at(0.999)} ms of ${sorted.length}`;
}
