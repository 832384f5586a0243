import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { type Caller, makeCaller, type TestDatabase } from './store-fixtures.ts';

const PROGRAM = fileURLToPath(new URL('./store-load.mjs', import.meta.url));
const ROUNDS = 4;
const ACKNOWLEDGED_BEFORE_KILL = 300;

/**
 * Kills a process under load again and again. Whatever it was told is counted must be counted afterwards, in the
 * quota, in the log and in the device’s memory, and the counters must agree with each other.
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
    const child = spawn(process.execPath, [PROGRAM, backEnd, place, project.id, key.id, run], {
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
  const logged = new Set<string>();
  let cursor: string | null = null;
  do {
    const page = await store.log.page(project.id, {}, 1_000, cursor);
    for (const row of page.rows) logged.add(row.requestId);
    cursor = page.next;
  } while (cursor !== null);
  const sightings = await store.memory.sightingsOfDevice(project.id, 'the-device', 1_000_000);
  const seen = new Set(sightings.map((row) => row.inboxHash));

  expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * ACKNOWLEDGED_BEFORE_KILL);
  expect(acknowledged.filter((inbox) => !logged.has(inbox))).toEqual([]);
  expect(acknowledged.filter((inbox) => !seen.has(inbox))).toEqual([]);
  expect(await store.projects.usage(project.id, '2026-11')).toBe(logged.size);
  expect(seen.size).toBe(logged.size);
}
