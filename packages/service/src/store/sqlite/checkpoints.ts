import { fdatasync, open } from 'node:fs';
import { promisify } from 'node:util';
import { type Database, integer, statement } from '../database.ts';

export const CHECKPOINT = statement('PRAGMA wal_checkpoint(PASSIVE)');

/**
 * About 2.5 MiB of the write-ahead log. The more a checkpoint copies, the longer concurrent commits wait for the disk.
 */
const SETTLES_A_CHECKPOINT = 250;
/** 20 MiB. The log is started again when it has this many pages. */
const PAGES_A_RESTART = 5_000;

/** To be called with every settle. Makes a checkpoint now and then. */
export function checkpoints(file: string, database: Pick<Database, 'read' | 'browse'>): () => void {
  const sync = syncing(file);
  let counted = 0;
  let busy = false;
  return () => {
    counted += 1;
    if (counted < SETTLES_A_CHECKPOINT || busy) return;
    counted = 0;
    busy = true;
    checkpoint(database, sync)
      .catch(() => {})
      .finally(() => {
        busy = false;
      });
  };
}

/**
 * Copying the write-ahead log back into the database takes tens of milliseconds. If the writer did it, no request
 * would be settled meanwhile, so the reader’s thread does it.
 *
 * Only the writer can start the log again, after a checkpoint of its own at whose end it syncs the database. Most of it is
 * synced before, so that this takes about 3 ms, instead of 20.
 */
async function checkpoint(
  { read, browse }: Pick<Database, 'read' | 'browse'>,
  sync: () => Promise<void>,
): Promise<void> {
  const [state] = await browse(CHECKPOINT);
  // -1 while another process makes a checkpoint.
  if (state === undefined || integer(state, 'log') < PAGES_A_RESTART) return;
  await sync();
  await browse(CHECKPOINT);
  await read(CHECKPOINT);
}

/**
 * Syncs the file through a descriptor that is never closed. Closing one would release all locks that SQLite holds on the
 * file in this process.
 */
function syncing(file: string): () => Promise<void> {
  let handle: Promise<number> | undefined;
  return async () => {
    handle ??= openFile(file, 'r');
    await syncFile(await handle);
  };
}

const openFile = promisify(open) as (file: string, flags: string) => Promise<number>;
const syncFile = promisify(fdatasync);
