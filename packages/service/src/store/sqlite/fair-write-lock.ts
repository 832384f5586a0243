import type { Connection } from './connection.ts';

/** How long to wait for the write lock. A caller who cannot wait that long gave up before. */
const PATIENCE_MS = 1_200;
/** How often who waits looks, and how long who was just served stands back so that a look falls into it. */
const LOOK_EVERY_MS = 1;
const STAND_BACK_MS = 2;
/** Others are taken to be there for this long after they were last noticed. */
const OTHERS_STAY_MS = 1_000;

const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
const pause = (milliseconds: number) => Atomics.wait(nobodyWakes, 0, 0, milliseconds);

/**
 * Transactions that hold the write lock from the start, so that nothing read inside can be out of date. SQLite’s
 * lock knows no queue: a busy process would take it again before the others look. So whoever noticed others
 * stands back for a moment after each turn; a process that is alone does not.
 */
export function createFairWriteLock(connection: Connection) {
  const dataVersion = connection.prepare('PRAGMA data_version').raw(true);
  const versionNow = () => (dataVersion.get() as readonly [number])[0];
  let version = versionNow();
  let othersSeenAt = Number.NEGATIVE_INFINITY;
  let servedAt = Number.NEGATIVE_INFINITY;

  const standBack = () => {
    const now = performance.now();
    if (now - othersSeenAt > OTHERS_STAY_MS) return;
    const rest = servedAt + STAND_BACK_MS - now;
    if (rest > 0) pause(rest);
  };

  const take = () => {
    const since = performance.now();
    for (;;) {
      try {
        connection.exec('BEGIN IMMEDIATE');
        break;
      } catch (error) {
        if (!isBusy(error) || performance.now() - since > PATIENCE_MS) throw error;
        othersSeenAt = performance.now();
        pause(LOOK_EVERY_MS);
      }
    }
    const current = versionNow();
    if (current !== version) othersSeenAt = performance.now();
    version = current;
  };

  return <T>(work: (dataVersion: number) => T): T => {
    standBack();
    take();
    try {
      const result = work(version);
      connection.exec('COMMIT');
      return result;
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      throw error;
    } finally {
      servedAt = performance.now();
    }
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}
