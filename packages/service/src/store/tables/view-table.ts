import { type Database, integer, json, type Row, statement, text } from '../database.ts';
import type { NewView, ViewChange, ViewRow, ViewStore } from '../view-store.ts';

const OWN = 'project_id = ? AND member_id = ?';
const NAME_FREE = `NOT EXISTS (SELECT 1 FROM saved_view o WHERE o.project_id = ? AND o.member_id = ?
  AND o.name = ? AND o.id <> ?)`;

export function viewTable(database: Database): ViewStore {
  return {
    async list(projectId, memberId) {
      const rows = await database.read(
        statement(
          `SELECT id, name, filters, created_at FROM saved_view WHERE ${OWN} ORDER BY name, id`,
          projectId,
          memberId,
        ),
      );
      return rows.map(toView);
    },
    add: (view, most) => add(database, view, most),
    change: (view) => change(database, view),
    async remove(projectId, memberId, id) {
      const [removed] = await database.write([
        statement(`DELETE FROM saved_view WHERE ${OWN} AND id = ? RETURNING id`, projectId, memberId, id),
      ]);
      return (removed?.length ?? 0) > 0;
    },
  };
}

async function add(
  database: Database,
  { projectId, memberId, id, name, filters, createdAt }: NewView,
  most: number,
): Promise<'done' | 'name-taken' | 'full'> {
  const [added, same] = await database.write([
    statement(
      `INSERT INTO saved_view (project_id, member_id, id, name, filters, created_at)
       SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT)
       WHERE ${NAME_FREE} AND (SELECT count(*) FROM saved_view WHERE ${OWN}) < ? RETURNING id`,
      ...[projectId, memberId, id, name, JSON.stringify(filters), createdAt],
      ...[projectId, memberId, name, id],
      ...[projectId, memberId, most],
    ),
    statement(
      `SELECT id FROM saved_view WHERE ${OWN} AND name = ? AND id <> ?`,
      projectId,
      memberId,
      name,
      id,
    ),
  ]);
  if ((added?.length ?? 0) > 0) return 'done';
  return (same?.length ?? 0) > 0 ? 'name-taken' : 'full';
}

async function change(
  database: Database,
  { projectId, memberId, id, name, filters }: ViewChange,
): Promise<'done' | 'name-taken' | 'unknown'> {
  const [changed, left] = await database.write([
    statement(
      `UPDATE saved_view SET name = coalesce(CAST(? AS TEXT), name), filters = coalesce(CAST(? AS TEXT), filters)
       WHERE ${OWN} AND id = ? AND ${NAME_FREE} RETURNING id`,
      ...[name ?? null, filters === undefined ? null : JSON.stringify(filters)],
      ...[projectId, memberId, id],
      ...[projectId, memberId, name ?? '', id],
    ),
    statement(`SELECT id FROM saved_view WHERE ${OWN} AND id = ?`, projectId, memberId, id),
  ]);
  if ((changed?.length ?? 0) > 0) return 'done';
  return (left?.length ?? 0) > 0 ? 'name-taken' : 'unknown';
}

function toView(row: Row): ViewRow {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    filters: json<ViewRow['filters']>(row, 'filters'),
    createdAt: integer(row, 'created_at'),
  };
}
