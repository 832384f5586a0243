import type { DumpRow, LoadFacts } from './administered-store.ts';
import { DUMPED, type DumpedTable, type DumpTable, dumpedTable } from './all-tables.ts';
import { StoreConflict } from './store.ts';

const ROWS_AT_ONCE = 500;

/** Throws if the dump cannot be loaded beside what the store has. */
export function expectRoom(found: boolean, project: string | undefined): void {
  if (!found) return;
  throw new StoreConflict(
    project === undefined
      ? 'There are projects in this store; import into an empty one'
      : `There is already a project ${project} in this store; nothing was imported`,
  );
}

/** Groups the rows into batches of one table and counts them. */
export async function loadBatches(
  rows: AsyncIterable<DumpRow>,
  insert: (table: DumpedTable, rows: readonly DumpRow['row'][]) => Promise<void>,
): Promise<LoadFacts> {
  const counts = Object.fromEntries(DUMPED.map(({ name }) => [name, 0])) as Record<DumpTable, number>;
  let batch: DumpRow['row'][] = [];
  let current: DumpTable | undefined;
  const flush = async () => {
    const table = current && dumpedTable(current);
    if (current === undefined || table === undefined || batch.length === 0) return;
    await insert(table, batch);
    counts[current] += batch.length;
    batch = [];
  };
  for await (const { table, row } of rows) {
    if (table !== current || batch.length >= ROWS_AT_ONCE) await flush();
    current = table;
    batch.push(row);
  }
  await flush();
  return { rows: counts };
}
