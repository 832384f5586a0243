import type { CompactionStep } from '../store.ts';
import { type Connection, readPragma } from './connection.ts';

/** Fewer free pages are kept: new rows will use them soon. 4 MiB. */
const MIN_FREE_PAGES = 1_024;
/** Releasing starts at this share of free pages. */
const START_SHARE = 0.25;
/** It stops at this share, so that the file does not shrink and grow all the time. */
const STOP_SHARE = 0.1;

/** A page takes about 0.05 ms. The commit then costs about as much as that of a request. */
const MAX_PAGES = 16;
const PAGES_AT_ONCE = 4;
/** Pages that must be read from a slow disk take longer. */
const MAX_WORK_MS = 2;

type WithWriteLock = <T>(work: () => T) => T;

/** Moves a few pages from the end of the file to free places and cuts the end off. The rows stay as they are. */
export function releasePages(connection: Connection, withWriteLock: WithWriteLock) {
  const canShrink = readPragma(connection, 'auto_vacuum') === 2;
  let active = false;
  const moveSome = () => {
    const since = performance.now();
    for (let moved = 0; moved < MAX_PAGES; moved += PAGES_AT_ONCE) {
      connection.exec(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`);
      if (performance.now() - since > MAX_WORK_MS) return;
    }
  };
  return (): CompactionStep => {
    if (!canShrink) return 'done';
    const free = readPragma(connection, 'freelist_count');
    const share = free / Math.max(1, readPragma(connection, 'page_count'));
    active = active ? share > STOP_SHARE : free >= MIN_FREE_PAGES && share >= START_SHARE;
    if (!active) return 'done';
    withWriteLock(moveSome);
    return 'more';
  };
}
