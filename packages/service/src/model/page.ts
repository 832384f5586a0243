/** Part of a list, and where the next part begins; `null` at the end. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/**
 * A page of rows of which one more was read than it has. The cursor must be different for each row: rows that share it
 * would be lost between two pages.
 */
export function pageOf<Row>(found: readonly Row[], limit: number, cursorOf: (row: Row) => string): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? cursorOf(last) : null };
}
