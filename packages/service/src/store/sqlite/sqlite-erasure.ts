import { type Database, statement } from '../database.ts';
import { type Erasure, erasure } from '../erasure.ts';
import type { StatisticsStore } from '../tables/statistics-table.ts';

/** Erases, and then empties the write-ahead log. */
export function sqliteErasure(database: Database, forgetDomain: StatisticsStore['forgetDomain']): Erasure {
  const { erase, find } = erasure(database, forgetDomain);
  return {
    find,
    async erase(project, whose, dryRun, keepClaims) {
      const rows = await erase(project, whose, dryRun, keepClaims);
      if (!dryRun) await emptyWriteAheadLog(database);
      return rows;
    },
  };
}

const EMPTY_TRIES = 20;
const EMPTY_EVERY_MS = 100;

/**
 * The write-ahead log still holds the pages as they were before. It can only be emptied while there is no reader. If there
 * are always readers, the next checkpoints overwrite it instead.
 */
async function emptyWriteAheadLog(database: Database): Promise<void> {
  for (let tries = 0; tries < EMPTY_TRIES; tries += 1) {
    const [row] = await database.read(statement('PRAGMA wal_checkpoint(TRUNCATE)'));
    if (row?.busy === 0) return;
    await new Promise((resolve) => setTimeout(resolve, EMPTY_EVERY_MS));
  }
}
