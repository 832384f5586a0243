import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { makeCaller, type TestDatabase } from './store-fixtures.ts';

const PROGRAM = fileURLToPath(new URL('./store-race.mjs', import.meta.url));
const SLOW_CLOCK = new URL('./slow-clock.mjs', import.meta.url).href;
const PROCESSES = 4;
const REQUESTS_EACH = 60;
const QUOTA = 100;

/** Four processes ask for more than the quota. Together they get exactly the quota, and every device is counted. */
export async function racingProcesses(backEnd: 'sqlite' | 'postgres', place: string, database: TestDatabase) {
  const store = await database.open();
  const { project, key } = await makeCaller(store);
  const racers = Array.from({ length: PROCESSES }, () => {
    const values = [backEnd, place, project.id, key.id, String(REQUESTS_EACH), String(QUOTA)];
    const child = fork(PROGRAM, values, {
      execArgv: ['--import', SLOW_CLOCK],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const said = () =>
      new Promise<unknown>((resolve, reject) => {
        child.once('message', resolve);
        child.once('close', (code) => reject(new Error(`A process ended with ${code} and said nothing`)));
      });
    const gone = new Promise((resolve) => child.once('close', resolve));
    return { child, ready: said(), said, gone };
  });
  await Promise.all(racers.map((racer) => racer.ready));
  const results = racers.map((racer) => racer.said() as Promise<number[]>);
  for (const { child } of racers) child.send('go');
  const previousSignups = (await Promise.all(results)).flat().sort((a, b) => a - b);
  await Promise.all(racers.map((racer) => racer.gone));

  expect(previousSignups).toEqual(Array.from({ length: QUOTA }, (_, index) => index));
  expect(await store.projects.usage(project.id, '2026-11')).toBe(QUOTA);
  await store.close();
}
