import type { ViewAlert, ViewAlertSpan } from '@postern/contract/dashboard';
import { type Database, hasChanged, hasRows, integer, json, statement, text } from '../database.ts';
import { type RowOf, tableOf } from '../table-of.ts';

export const SAVED_VIEW = tableOf('saved_view', {
  projectId: text,
  memberId: text,
  id: text,
  name: text,
  /** As the address bar of the log holds them. */
  filters: json<Readonly<Record<string, string | number>>>,
  /** 1: the other members see it too. */
  shared: integer,
  /** Members are told of so many matches within the span; 0: never. */
  alertAtLeast: integer,
  alertSpan: text<ViewAlertSpan>,
  createdAt: integer,
});

export type NewView = RowOf<typeof SAVED_VIEW>;

export type ViewRow = Omit<NewView, 'projectId'>;

export interface ViewChange extends Pick<NewView, 'projectId' | 'memberId' | 'id'> {
  readonly name?: string | undefined;
  readonly filters?: ViewRow['filters'] | undefined;
  readonly shared?: boolean | undefined;
  /** `null` takes it away. */
  readonly alert?: ViewAlert | null | undefined;
}

const OWN = 'project_id = ? AND member_id = ?';
const NAME_FREE = `NOT EXISTS (SELECT 1 FROM saved_view o WHERE o.project_id = ? AND o.member_id = ?
  AND o.name = ? AND o.id <> ?)`;

export type ViewStore = ReturnType<typeof viewStore>;

/** Members’ saved views of one project’s log: names for sets of filters. */
export function viewStore(database: Database) {
  return {
    /** The member’s own and those that others share. */
    async list(projectId: string, memberId: string): Promise<ViewRow[]> {
      const rows = await database.read(
        statement(
          `SELECT ${SAVED_VIEW.list} FROM saved_view WHERE project_id = ? AND (member_id = ? OR shared = 1)
           ORDER BY name, id`,
          projectId,
          memberId,
        ),
      );
      return rows.map((row) => {
        const { projectId: _project, ...view } = SAVED_VIEW.fromRow(row);
        return view;
      });
    },
    /** The project’s views that have an alert, at most `limit`. */
    async withAlert(projectId: string, limit: number): Promise<ViewRow[]> {
      const rows = await database.read(
        statement(
          `SELECT ${SAVED_VIEW.list} FROM saved_view WHERE project_id = ? AND alert_at_least > 0 ORDER BY id LIMIT ?`,
          projectId,
          limit,
        ),
      );
      return rows.map(SAVED_VIEW.fromRow);
    },
    /** `full`: the member already has `most` views. */
    async add(view: NewView, most: number): Promise<'done' | 'name-taken' | 'full'> {
      const { projectId, memberId, id, name } = view;
      const named = [projectId, memberId, name, id] as const;
      const [added, same] = await database.write([
        SAVED_VIEW.insert(view, {
          when: {
            sql: `${NAME_FREE} AND (SELECT count(*) FROM saved_view WHERE ${OWN}) < ?`,
            values: [...named, projectId, memberId, most],
          },
          suffix: 'RETURNING id',
        }),
        statement(`SELECT id FROM saved_view WHERE ${OWN} AND name = ? AND id <> ?`, ...named),
      ]);
      if (hasRows(added)) return 'done';
      return hasRows(same) ? 'name-taken' : 'full';
    },
    async change({
      projectId,
      memberId,
      id,
      name,
      filters,
      shared,
      alert,
    }: ViewChange): Promise<'done' | 'name-taken' | 'unknown'> {
      const own = [projectId, memberId, id] as const;
      const [changed, left] = await database.write([
        statement(
          `UPDATE saved_view SET name = coalesce(CAST(? AS TEXT), name), filters = coalesce(CAST(? AS TEXT), filters),
             shared = coalesce(CAST(? AS INTEGER), shared),
             alert_at_least = coalesce(CAST(? AS INTEGER), alert_at_least),
             alert_span = coalesce(CAST(? AS TEXT), alert_span)
           WHERE ${OWN} AND id = ? AND ${NAME_FREE} RETURNING id`,
          ...[name ?? null, filters === undefined ? null : JSON.stringify(filters)],
          shared === undefined ? null : Number(shared),
          alert === undefined ? null : (alert?.atLeast ?? 0),
          alert?.span ?? null,
          ...own,
          ...[projectId, memberId, name ?? '', id],
        ),
        statement(`SELECT id FROM saved_view WHERE ${OWN} AND id = ?`, ...own),
      ]);
      if (hasRows(changed)) return 'done';
      return hasRows(left) ? 'name-taken' : 'unknown';
    },
    async remove(projectId: string, memberId: string, id: string): Promise<boolean> {
      return hasChanged(
        database,
        statement(`DELETE FROM saved_view WHERE ${OWN} AND id = ? RETURNING id`, projectId, memberId, id),
      );
    },
  };
}
