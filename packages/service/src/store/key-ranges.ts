import { type Database, statement, text } from './database.ts';

const ROWS_LOOKED_AT = 2_000;

/** A project’s rows of a table, a few thousand at a time. Each range is given by the key before it and its last key. */
export async function* keyRanges(
  database: Database,
  table: 'validation_log' | 'inbox',
  column: string,
  project: string,
): AsyncGenerator<readonly [after: string, upTo: string]> {
  let after = '';
  for (;;) {
    const rows = await database.browse(
      statement(
        `SELECT ${column} FROM ${table} WHERE project_id = ? AND ${column} > ? ORDER BY ${column} LIMIT ${ROWS_LOOKED_AT}`,
        project,
        after,
      ),
    );
    const last = rows.at(-1);
    if (!last) return;
    const upTo = text(last, column);
    yield [after, upTo];
    after = upTo;
  }
}
