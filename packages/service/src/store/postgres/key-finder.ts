import { type Batcher, createBatcher, MAX_BATCH } from '../batcher.ts';
import type { DeadlineTimer } from '../deadline.ts';
import type { KeyWithProject } from '../tables/key-table.ts';
import { hashHandle, keysWithProjects, toKeyWithProject } from '../tables/key-table.ts';
import type { Connections } from './connections.ts';

const FIND = keysWithProjects('= ANY ($1)');

/** Finds keys by their hashes. Look-ups of one turn of the event loop become one statement. */
export function createKeyFinder(
  { hot }: Connections,
  startTimer: DeadlineTimer,
): Batcher<string, KeyWithProject | undefined> {
  return createBatcher({
    startTimer,
    maxSize: MAX_BATCH,
    maxUnderWay: Number.POSITIVE_INFINITY,
    async send(hashes: readonly string[]) {
      const rows = await hot(FIND, [[...new Set(hashes)].map(hashHandle)]);
      const found = new Map(rows.map(toKeyWithProject).map((one) => [one.key.hash, one]));
      return hashes.map((hash) => found.get(hash));
    },
  });
}
