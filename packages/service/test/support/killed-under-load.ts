import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { type Caller, makeCaller, type TestDatabase } from './store-fixtures.ts';

const PROGRAM = fileURLToPath(new URL('./store-load.mjs', import.meta.url));
const SLOW_CLOCK = new URL('./slow-clock.mjs', import.meta.url).href;
const ROUNDS = 4;
const ACKNOWLEDGED_BEFORE_KILL = 300;

/**
 * Kills a process under load repeatedly. Every request that was answered as counted must be counted afterwards, in the
 * quota, in the log and in the device’s history, and the counters must agree with each other.
 */
export async function killedUnderLoad(backEnd: 'sqlite' | 'postgres', place: string, database: TestDatabase) {
  const store = await database.open();
  const caller = await makeCaller(store);
  const acknowledged: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    acknowledged.push(...(await loadUntilKilled(backEnd, place, caller, `run-${round}`)));
  }
  await expectAllKept(store, caller, acknowledged);
  await store.close();
}

function loadUntilKilled(
  backEnd: string,
  place: string,
  { project, key }: Caller,
  run: string,
): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const values = [backEnd, place, project.id, key.id, run];
    const child = spawn(process.execPath, ['--import', SLOW_CLOCK, PROGRAM, ...values], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let told = '';
    let complaints = '';
    child.stderr.on('data', (chunk: Buffer) => {
      complaints += chunk.toString();
    });
    child.stdout.on('data', (chunk: Buffer) => {
      told += chunk.toString();
      if (told.split('\n').length > ACKNOWLEDGED_BEFORE_KILL) child.kill('SIGKILL');
    });
    child.on('close', (_code, signal) => {
      if (signal === 'SIGKILL') resolve(told.split('\n').slice(0, -1));
      else reject(new Error(`The process under load ended by itself: ${complaints}`));
    });
  });
}

async function expectAllKept(
  store: Store,
  { project }: Caller,
  acknowledged: readonly string[],
): Promise<void> {
  const { used, logged, seen } = await settled(store, project.id);
  expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * ACKNOWLEDGED_BEFORE_KILL);
  expect(acknowledged.filter((inbox) => !logged.has(inbox))).toEqual([]);
  expect(acknowledged.filter((inbox) => !seen.has(inbox))).toEqual([]);
  expect(used).toBe(logged.size);
  expect(seen.size).toBe(logged.size);
}

/** PostgreSQL finishes the last statement of a killed client, so this waits until nothing changes. */
async function settled(store: Store, projectId: string) {
  for (;;) {
    const used = await store.projects.usage(projectId, '2026-11');
    const logged = await loggedRequests(store, projectId);
    const seen = new Set<string>();
    for (const device of new Set([...logged].map(deviceOf)))
      for (const { inboxHash } of await store.memory.sightingsOfDevice(projectId, device, 1_000))
        seen.add(inboxHash);
    if ((await store.projects.usage(projectId, '2026-11')) === used) return { used, logged, seen };
  }
}

/** As `store-load.mjs` names it. */
function deviceOf(inbox: string): string {
  const [, run = '', number = ''] = /^(.*)-(\d+)$/.exec(inbox) ?? [];
  return `${run}-device-${Math.floor(Number(number) / 100)}`;
}

async function loggedRequests(store: Store, projectId: string): Promise<Set<string>> {
  const logged = new Set<string>();
  let cursor: string | null = null;
  do {
    const page = await store.log.page(projectId, {}, 1_000, cursor);
    for (const row of page.rows) logged.add(row.requestId);
    cursor = page.next;
  } while (cursor !== null);
  return logged;
}
