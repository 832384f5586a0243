import { HOUR_MS } from '../../model/windows.ts';
import { type Database, integer, type SqlValue, type Statement, statement, text } from '../database.ts';
import { toLogRow } from '../log-record.ts';
import type { LogFilter, LogStore, UsageHour } from '../store.ts';
import { timeOfId, timePrefix } from '../timed-id.ts';
import { filterConditions } from './log-filter.ts';
import { rowsAtMoments } from './rows-at-moments.ts';
import { countWords } from './statistics-table.ts';
import type { Dialect } from './write-outcomes.ts';

export const LOG_COLUMNS = 'project_id, id, recommendation, marks, history, facts';
/** A filtered page reads at most this many rows, and then returns what it has with a cursor. */
const ROWS_LOOKED_AT = 10_000;
/** A caller can send the same request ID again and again. At most this many of its rows are read. */
const SAME_REQUEST = 20;
/** Sorts after every character of an ID. */
const LAST = '~';

export function logTable(database: Database, dialect: Dialect): LogStore {
  const requestColumn =
    dialect === 'sqlite' ? 'substr(facts, 15, 37)' : '(substr(facts, 15, 37) COLLATE "C")';
  const table: LogStore = {
    async page(projectId, filter, limit, cursor) {
      const from = timePrefix(filter.from ?? 0);
      const to = cursor ?? (filter.to === undefined ? LAST : timePrefix(filter.to));
      const selective = filterConditions(filter).length > 0;
      const floor = selective ? await idAfter(database, projectId, from, to, ROWS_LOOKED_AT) : null;
      const found = await database.browse(pageOf(projectId, filter, floor ?? from, to, limit + 1));
      const rows = found.slice(0, limit).map(toLogRow);
      return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : floor };
    },
    async find(projectId, id) {
      const rows = await database.browse(
        statement(`SELECT ${LOG_COLUMNS} FROM validation_log WHERE project_id = ? AND id = ?`, projectId, id),
      );
      return rows[0] && toLogRow(rows[0]);
    },
    async findByRequest(projectId, requestId) {
      // Facts begin with the request ID; the index holds 37 characters from there on, its closing quote included.
      const [least, beyond] =
        requestId.length <= 36
          ? [`${requestId}"`, `${requestId}#`]
          : [requestId.slice(0, 37), `${requestId.slice(0, 37)}~`];
      const rows = await database.browse(
        statement(
          `SELECT ${LOG_COLUMNS} FROM validation_log
           WHERE project_id = ? AND ${requestColumn} >= ? AND ${requestColumn} < ? ORDER BY id DESC LIMIT ${SAME_REQUEST}`,
          projectId,
          least,
          beyond,
        ),
      );
      return rows.map(toLogRow).find((row) => row.requestId === requestId);
    },
    async findByRequests(projectId, requestIds) {
      const ids = [...new Set(requestIds)];
      // The service’s own IDs have 36 characters. The index holds them whole, so one query finds all of them.
      const usual = ids.filter(({ length }) => length === 36);
      const limit = usual.length * SAME_REQUEST;
      const places = usual.map(() => '?').join(', ');
      const rows =
        usual.length === 0
          ? []
          : await database.browse(
              statement(
                `SELECT ${LOG_COLUMNS} FROM validation_log
                 WHERE project_id = ? AND ${requestColumn} IN (${places}) ORDER BY id DESC LIMIT ?`,
                projectId,
                ...usual.map((id) => `${id}"`),
                limit,
              ),
            );
      const found = new Map(
        rows
          .map(toLogRow)
          .reverse()
          .map((row) => [row.requestId, row]),
      );
      // With so many rows of some request, others may have been cut off.
      const single = rows.length < limit ? ids.filter(({ length }) => length !== 36) : ids;
      for (const row of await Promise.all(single.map((id) => table.findByRequest(projectId, id))))
        if (row !== undefined) found.set(row.requestId, row);
      return found;
    },
    async at(projectId, moments) {
      if (moments.length === 0) return [];
      return (await database.browse(rowsAtMoments(dialect, projectId, LOG_COLUMNS, moments))).map(toLogRow);
    },
    async newest(projectIds, since, limit) {
      const parts = projectIds.map(
        (_, index) =>
          `SELECT * FROM (SELECT ${LOG_COLUMNS} FROM validation_log WHERE project_id = ? AND id >= ?
           ORDER BY id DESC LIMIT ?) AS newest_${index}`,
      );
      const values = projectIds.flatMap((projectId): SqlValue[] => [projectId, timePrefix(since), limit]);
      if (parts.length === 0) return [];
      return (await database.browse(statement(parts.join(' UNION ALL '), ...values))).map(toLogRow);
    },
    async isLongerThan(projectId, { from, to }, rows) {
      return (await idAfter(database, projectId, timePrefix(from), timePrefix(to), rows)) !== null;
    },
    async oldestAt(projectId) {
      const [row] = await database.browse(
        statement('SELECT id FROM validation_log WHERE project_id = ? ORDER BY id LIMIT 1', projectId),
      );
      return row ? timeOfId(text(row, 'id')) : null;
    },
    async countRefusal(projectId, at, kind) {
      await database.write([
        statement(
          `INSERT INTO usage_hour (project_id, hour, kind, count) VALUES (?, ?, ?, 1)
           ON CONFLICT (project_id, hour, kind) DO UPDATE SET count = usage_hour.count + 1`,
          projectId,
          Math.floor(at / HOUR_MS) * HOUR_MS,
          kind,
        ),
        countWords(projectId, at, `1 ${kind}`),
      ]);
    },
    async usage(projectId, from, to) {
      const rows = await database.browse(
        statement(
          'SELECT hour, kind, count FROM usage_hour WHERE project_id = ? AND hour >= ? AND hour < ? ORDER BY hour, kind',
          projectId,
          from,
          to,
        ),
      );
      return rows.map((row) => ({
        hour: integer(row, 'hour'),
        kind: text(row, 'kind') as UsageHour['kind'],
        count: integer(row, 'count'),
      }));
    },
  };
  return table;
}

/** The ID of the row that comes after so many of the newest. `null` if there are not so many. */
async function idAfter(
  database: Database,
  projectId: string,
  from: string,
  to: string,
  rows: number,
): Promise<string | null> {
  const [row] = await database.browse(
    statement(
      // With a parameter, PostgreSQL would expect to skip a tenth of the log and sort it.
      `SELECT id FROM validation_log WHERE project_id = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT 1 OFFSET ${rows}`,
      ...[projectId, from, to],
    ),
  );
  return row ? text(row, 'id') : null;
}

function pageOf(projectId: string, filter: LogFilter, from: string, to: string, limit: number): Statement {
  const conditions = [
    'project_id = ?',
    'id >= ?',
    'id < ?',
    ...filterConditions(filter).map(({ sql }) => sql),
  ];
  const values = [projectId, from, to, ...filterConditions(filter).flatMap(({ values: each }) => each)];
  return statement(
    `SELECT ${LOG_COLUMNS} FROM validation_log WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`,
    ...values,
    limit,
  );
}
