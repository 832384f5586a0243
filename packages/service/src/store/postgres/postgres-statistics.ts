import { integer, type Row, statement, text } from '../database.ts';
import {
  type Counts,
  countChanges,
  dropDomain,
  mergeCounts,
  readCounts,
  writeCounts,
} from '../statistics/counts.ts';
import { CHANGES_AT_ONCE } from '../statistics/merge-sometimes.ts';
import type { StatisticsSteps } from '../tables/statistics-table.ts';
import type { Connections } from './connections.ts';

interface ReplacedRow {
  readonly at: number;
  /** `null` if there was none. */
  readonly before: string | null;
  readonly counts: string;
}

/**
 * Adds changes to their half hours’ rows. Rows and changes are read without a lock, so that no request waits; the
 * database replaces them only if nobody else did meanwhile.
 */
export function postgresStatistics({ database }: Pick<Connections, 'database'>): StatisticsSteps {
  const replace = async (project: string, changes: readonly string[], rows: readonly ReplacedRow[]) => {
    const [[answer] = []] = await database.write([
      statement(
        `SELECT postern_merge_statistics_1(?, ARRAY(SELECT json_array_elements_text(CAST(? AS JSON))), ?)::INT AS done`,
        project,
        JSON.stringify(changes),
        JSON.stringify(rows),
      ),
    ]);
    return answer?.done === 1;
  };

  const rowsAt = async (project: string, times: readonly number[]): Promise<Map<number, string>> => {
    const places = times.map(() => '?').join(', ');
    const rows = await database.browse(
      statement(
        `SELECT at, counts FROM statistics WHERE project_id = ? AND at IN (${places})`,
        project,
        ...times,
      ),
    );
    return new Map(rows.map((row) => [integer(row, 'at'), text(row, 'counts')]));
  };

  const merge = async (project: string): Promise<number> => {
    const changes = await database.browse(
      statement(
        `SELECT id, at, lines FROM statistics_change WHERE project_id = ? ORDER BY id LIMIT ${CHANGES_AT_ONCE}`,
        project,
      ),
    );
    if (changes.length === 0) return 0;
    const slots = countChanges(changes.map(toChange));
    const before = await rowsAt(project, [...slots.keys()]);
    const rows = [...slots].map(([at, added]) => replacedRow(at, before.get(at), added));
    const ids = changes.map((row) => text(row, 'id'));
    return (await replace(project, ids, rows)) ? changes.length : 0;
  };

  const forgetDomain = async (project: string, domain: string): Promise<void> => {
    while ((await merge(project)) > 0);
    const rows = await database.browse(
      statement(
        'SELECT at, counts FROM statistics WHERE project_id = ? AND strpos(counts, ?) > 0',
        project,
        JSON.stringify(`domain:${domain}`),
      ),
    );
    for (const row of rows) {
      const before = text(row, 'counts');
      const counts = readCounts(before);
      dropDomain(counts, domain);
      const replaced = { at: integer(row, 'at'), before, counts: writeCounts(counts) };
      // Somebody merged new changes into the row.
      if (!(await replace(project, [], [replaced]))) return forgetDomain(project, domain);
    }
  };

  return { merge, forgetDomain };
}

function toChange(row: Row) {
  return { at: integer(row, 'at'), lines: text(row, 'lines') };
}

function replacedRow(at: number, before: string | undefined, added: Counts): ReplacedRow {
  const counts: Counts = before === undefined ? new Map() : readCounts(before);
  mergeCounts(counts, added);
  return { at, before: before ?? null, counts: writeCounts(counts) };
}
