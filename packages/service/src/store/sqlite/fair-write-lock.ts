import type { Connection } from './connection.ts';

/** How long to wait for the write lock. Requests with less time left have been refused by then. */
const LOCK_TIMEOUT_MS = 1_200;
/** How often a waiting process tries again, and how long the last holder pauses so that such a try can succeed. */
const TRY_EVERY_MS = 1;
const PAUSE_MS = 2;
/** Other processes are assumed to be active for this long after they were last noticed. */
const OTHERS_ACTIVE_MS = 1_000;

const neverNotified = new Int32Array(new SharedArrayBuffer(4));
const pause = (milliseconds: number) => Atomics.wait(neverNotified, 0, 0, milliseconds);

/**
 * Transactions that hold the write lock from the start, so that nothing read inside can be out of date. SQLite’s
 * lock has no queue: a busy process would take it again before the others try. So a process that noticed others
 * pauses for a moment after each transaction; a process that is alone does not.
 */
export function createFairWriteLock(
  connection: Connection,
  onCommit: () => void,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
) {
  const dataVersion = connection.prepare('PRAGMA data_version').raw(true);
  const versionNow = () => (dataVersion.get() as readonly [number])[0];
  let version = versionNow();
  let othersSeenAt = Number.NEGATIVE_INFINITY;
  let releasedAt = Number.NEGATIVE_INFINITY;

  const pauseForOthers = () => {
    const now = performance.now();
    if (now - othersSeenAt > OTHERS_ACTIVE_MS) return;
    const rest = releasedAt + PAUSE_MS - now;
    if (rest > 0) pause(rest);
  };

  const take = () => {
    const since = performance.now();
    for (;;) {
      try {
        connection.exec('BEGIN IMMEDIATE');
        break;
      } catch (error) {
        if (!isBusy(error) || performance.now() - since > lockTimeoutMs) throw error;
        othersSeenAt = performance.now();
        pause(TRY_EVERY_MS);
      }
    }
    const current = versionNow();
    if (current !== version) othersSeenAt = performance.now();
    version = current;
  };

  return <T>(work: () => T): T => {
    pauseForOthers();
    take();
    try {
      const result = work();
      connection.exec('COMMIT');
      onCommit();
      return result;
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      throw error;
    } finally {
      releasedAt = performance.now();
    }
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}
