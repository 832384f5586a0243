import { integer, text } from '../columns.ts';
import { type Database, type Statement, statement } from '../database.ts';
import { tableOf } from '../table-of.ts';

/**
 * Counts what is limited: tries at an account or a challenge, uses of a code, mails to an address, turns at work that only
 * one process does at a time. The name begins with what is counted.
 */
export const COUNTER = tableOf('counter', { name: text, count: integer, resetsAt: integer });

export type CounterStore = ReturnType<typeof counterStore>;

export function counterStore(database: Database) {
  const reset = (name: string): Statement => COUNTER.remove({ name });
  return {
    /** Counts one and returns how many there were in the window, which began with the first one. */
    async count(name: string, windowMs: number, now: number): Promise<{ count: number; resetsAt: number }> {
      const [rows] = await database.write([
        statement(
          `INSERT INTO counter (name, count, resets_at) VALUES (?, 1, ?)
           ON CONFLICT (name) DO UPDATE SET
             count = CASE WHEN counter.resets_at <= ? THEN 1 ELSE counter.count + 1 END,
             resets_at = CASE WHEN counter.resets_at <= ? THEN excluded.resets_at ELSE counter.resets_at END
           RETURNING ${COUNTER.list}`,
          ...[name, now + windowMs, now, now],
        ),
      ]);
      const row = rows?.[0];
      if (!row) throw new Error('The counter was not stored');
      return COUNTER.fromRow(row);
    },
    /** Takes back the count of something that did not happen after all. */
    async uncount(name: string): Promise<void> {
      await database.write([COUNTER.update({ name }, { also: 'count = count - 1' }, 'AND count > 0')]);
    },
    reset,
    async forget(name: string): Promise<void> {
      await database.write([reset(name)]);
    },
  };
}
