import { DAY_MS, HOUR_MS } from '@postern/contract';
import { integer } from './columns.ts';
import type { Database } from './database.ts';
import { rowOf } from './table-of.ts';
import { secretChange } from './tables/instance-table.ts';

/** A service that was off for a weekend deletes what expired meanwhile. After a longer time, a person says so. */
const AHEAD_OF_CLEAN_UP_MS = 3 * DAY_MS;
const AHEAD_OF_DATABASE_MS = HOUR_MS;
/** The row of the table `secret` that holds the time of the last clean-up. */
const CLEANED_UP = 'cleaned-up-at';

/** Why a time seems to lie in the future. */
export interface ClockDoubt {
  readonly aheadMs: number;
  readonly of: 'the database’s clock' | 'the last clean-up';
}

const TIMES = rowOf({ server: integer, cleanedUp: integer });

export type ClockStore = ReturnType<typeof clockStore>;

/**
 * Whether to delete by a clock. One that runs ahead by mistake would delete the history of all projects. Rows of the log
 * tell nothing: a process with such a clock writes its own. `databaseTime` is SQL for the time of a server, in milliseconds.
 */
export function clockStore(database: Database, databaseTime = 'NULL') {
  return {
    async doubt(now: number): Promise<ClockDoubt | undefined> {
      const times = await TIMES.find(
        database.browse,
        `SELECT COALESCE(${databaseTime}, ?) AS server,
           COALESCE((SELECT CAST(value AS BIGINT) FROM secret WHERE name = ?), ?) AS cleaned_up`,
        ...[now, CLEANED_UP, now],
      );
      if (times === undefined) return undefined;
      const [server, cleanUp] = [now - times.server, now - times.cleanedUp];
      if (server > AHEAD_OF_DATABASE_MS) return { aheadMs: server, of: 'the database’s clock' };
      return cleanUp > AHEAD_OF_CLEAN_UP_MS ? { aheadMs: cleanUp, of: 'the last clean-up' } : undefined;
    },
    /** Notes that the time is right: what expired by it was deleted, or a person says so. */
    async trust(now: number): Promise<void> {
      await database.write([secretChange(CLEANED_UP, `${now}`)]);
    },
  };
}

/** What is wrong and what to do, in sentences. */
export function explainDoubt({ aheadMs, of }: ClockDoubt): string {
  const ahead =
    aheadMs < 2 * DAY_MS ? `${Math.round(aheadMs / HOUR_MS)} hours` : `${Math.round(aheadMs / DAY_MS)} days`;
  const rest =
    of === 'the last clean-up'
      ? ' If it is right, because Postern was off for so long, confirm that: npx postern doctor --trust-clock'
      : '';
  return `The clock of this machine is ${ahead} ahead of ${of}, so this process deletes no expired data. If the clock is wrong, set it.${rest}`;
}
