import { MAX_TIMELINE, type TimelineKind } from '@postern/contract/dashboard';
import { integer, text } from '../columns.ts';
import type { Database, Statement } from '../database.ts';
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
      const newest = `ORDER BY id DESC LIMIT ${MAX_TIMELINE}`;
      const rows = await TIMELINE_ENTRY.findAll(database.browse, { projectId, subject }, newest);
      return rows.map(({ projectId: _, ...entry }) => entry);
    },
    removal: (projectId: string, subject: string, id: string): Statement[] => [
      TIMELINE_ENTRY.remove({ projectId, subject, id, kind: 'note' }),
    ],
  };
}

function trimmed(projectId: string, subject: string): Statement {
  return TIMELINE_ENTRY.remove(
    { projectId, subject },
    `AND id <= (SELECT id FROM timeline_entry WHERE project_id = ? AND subject = ?
       ORDER BY id DESC LIMIT 1 OFFSET ${MAX_TIMELINE})`,
    ...[projectId, subject],
  );
}
