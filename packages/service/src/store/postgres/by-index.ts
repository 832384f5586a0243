import { type Database, statement } from '../database.ts';

/**
 * The oldest rows come first in an index. With poor statistics, as for a new table, the planner reads and sorts all
 * rows of a project instead, and requests that wait for the same lock are delayed.
 */
const BY_INDEX = statement(
  `SELECT ${['enable_sort', 'enable_bitmapscan', 'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']
    .map((setting) => `set_config('${setting}', 'off', true)`)
    .join(', ')}`,
);

export function byIndex(database: Database): Database {
  const write: Database['write'] = async (statements) =>
    (await database.write([BY_INDEX, ...statements])).slice(1);
  const read: Database['read'] = async (one) => (await write([one]))[0] ?? [];
  return { read, browse: read, write };
}
