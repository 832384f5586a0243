import { MAX_TIMELINE, type TimelineKind } from '@postern/contract/dashboard';
import { type Database, integer, type Statement, statement, text } from '../database.ts';
import { type RowOf, tableOf } from '../table-of.ts';
import type { TimedId } from '../timed-id.ts';

export const TIMELINE_ENTRY = tableOf('timeline_entry', {
  projectId: text,
  /** `person:<hash>`, `device:<hash>`, a domain, a range of addresses or `AS<number>`. */
  subject: text,
  id: text,
  at: integer,
  actor: text,
  kind: text<TimelineKind>,
  body: text,
});

export type TimelineEntry = Omit<RowOf<typeof TIMELINE_ENTRY>, 'projectId'>;
export type NewTimelineEntry = Omit<TimelineEntry, 'id'>;

/** Notes about people, devices, domains and networks, and what members decided about them. */
export function timelineStore(database: Database, timedId: TimedId) {
  /** Adds entries. Of each subject the newest `MAX_TIMELINE` stay. */
  const addition = (projectId: string, entries: readonly NewTimelineEntry[]): Statement[] => [
    ...entries.map((entry) => TIMELINE_ENTRY.insert({ projectId, id: timedId(entry.at), ...entry })),
    ...[...new Set(entries.map(({ subject }) => subject))].map((subject) => trimmed(projectId, subject)),
  ];
  return {
    addition,
    /** Newest first. */
    async of(projectId: string, subject: string): Promise<TimelineEntry[]> {
      const rows = await database.browse(
        statement(
          `SELECT ${TIMELINE_ENTRY.list} FROM timeline_entry WHERE project_id = ? AND subject = ?
           ORDER BY id DESC LIMIT ${MAX_TIMELINE}`,
          ...[projectId, subject],
        ),
      );
      return rows.map((row) => {
        const { projectId: _project, ...entry } = TIMELINE_ENTRY.fromRow(row);
        return entry;
      });
    },
    removal: (projectId: string, subject: string, id: string): Statement[] => [
      statement(
        "DELETE FROM timeline_entry WHERE project_id = ? AND subject = ? AND id = ? AND kind = 'note'",
        ...[projectId, subject, id],
      ),
    ],
  };
}

function trimmed(projectId: string, subject: string): Statement {
  const these = 'project_id = ? AND subject = ?';
  return statement(
    `DELETE FROM timeline_entry WHERE ${these} AND id <=
       (SELECT id FROM timeline_entry WHERE ${these} ORDER BY id DESC LIMIT 1 OFFSET ${MAX_TIMELINE})`,
    ...[projectId, subject, projectId, subject],
  );
}
