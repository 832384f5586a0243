import { type Statement, statement, text, textOrNull } from '../database.ts';
import { tableOf } from '../table-of.ts';
import type { Condition } from './condition.ts';

/**
 * What is remembered of a person or a device was last seen at the time of a log row that names both. So the log is the
 * list of what the sweep has to forget, in the order of time. A log row that is deleted before that leaves its names here.
 */
export const PAST_SIGHTING = tableOf('past_sighting', {
  projectId: text,
  id: text,
  inbox: textOrNull,
  device: textOrNull,
});

/** How far the sweep has come in each project. To go back and look again does no harm. */
export const SWEPT_LOG = tableOf('swept_log', { projectId: text, id: text });

/** Every statement that deletes log rows comes after this one. Test keys leave no history. */
export function keepSightings(projectId: string, rows: Condition): Statement {
  return statement(
    `INSERT INTO past_sighting (project_id, id, inbox, device)
     SELECT project_id, id, inbox, device FROM validation_log
     WHERE project_id = ? AND mode = 'live' AND ${rows.sql}
     ON CONFLICT (project_id, id) DO NOTHING`,
    projectId,
    ...rows.values,
  );
}
