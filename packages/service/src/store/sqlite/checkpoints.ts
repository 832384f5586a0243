import { fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';
import { integer } from '../columns.ts';
import { type Database, statement } from '../database.ts';

export const CHECKPOINT = statement('PRAGMA wal_checkpoint(PASSIVE)');

/**
 * So many settles write about 4 MiB to the write-ahead log. The more a checkpoint copies, the longer concurrent commits
 * wait for the disk.
 */
const SETTLES_PER_CHECKPOINT = 500;
/** A log of so many pages (20 MiB) is restarted from its beginning, so that it does not grow further. */
const PAGES_PER_RESTART = 5_000;

/** Returns a function to call after every settle. It makes a checkpoint now and then. */
export function checkpoints(file: string, database: Pick<Database, 'read' | 'browse'>): () => void {
  const sync = syncThroughOpenFile(file);
  let settles = 0;
  let busy = false;
  return () => {
    settles += 1;
    if (settles < SETTLES_PER_CHECKPOINT || busy) return;
    settles = 0;
    busy = true;
    checkpoint(database, sync)
      // A failure loses nothing: the next checkpoint copies what this one did not.
      .catch(() => {})
      .finally(() => {
        busy = false;
      });
  };
}

/**
 * Copying the write-ahead log back into the database takes tens of milliseconds. If the writer did it, no request
 * would be settled meanwhile, so the reader’s thread does it (`browse`).
 *
 * Only the writer (`read`) can restart the log, and only after a checkpoint of its own, which ends with a sync of the
 * database. If the file was synced just before, that takes about 3 ms instead of 20.
 */
async function checkpoint(
  { read, browse }: Pick<Database, 'read' | 'browse'>,
  sync: () => Promise<void>,
): Promise<void> {
  const [state] = await browse(CHECKPOINT);
  // `log` is -1 while another process makes a checkpoint.
  if (state === undefined || integer(state, 'log') < PAGES_PER_RESTART) return;
  await sync();
  await browse(CHECKPOINT);
  await read(CHECKPOINT);
}

/**
 * Syncs the file through a descriptor that is never closed. Closing one would release all locks that SQLite holds on the
 * file in this process.
 */
function syncThroughOpenFile(file: string): () => Promise<void> {
  let descriptor: Promise<number> | undefined;
  return async () => {
    descriptor ??= openFile(file, 'r');
    await syncFile(await descriptor);
  };
}

const openFile = promisify(open) as (file: string, flags: string) => Promise<number>;
const syncFile = promisify(fdatasync);
