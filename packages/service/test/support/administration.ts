import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Administration } from '../../src/operations/administration.ts';
import type { AdministeredStore } from '../../src/store/administered-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

export interface TestAdministration extends Administration {
  readonly store: AdministeredStore;
  /** The store’s file, for a second process’s view of it. */
  readonly file: string;
  /** Moves the clock. */
  readonly wait: (ms: number) => void;
}

/** The use cases with their own store and a clock that the test moves. */
export async function openAdministration(): Promise<TestAdministration> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-administration-'));
  const file = join(folder, 'postern.db');
  const store = await openSqliteStore({ file });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  let time = Date.UTC(2026, 0, 15, 12);
  return {
    store,
    file,
    now: () => time,
    wait: (ms) => {
      time += ms;
    },
    randomBytes,
    plans: new Map([
      ['free', 1000],
      ['pro', 100_000],
    ]),
    actor: 'tester',
  };
}
