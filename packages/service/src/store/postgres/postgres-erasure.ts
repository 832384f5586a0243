import { type Database, statement } from '../database.ts';
import { type Erasure, erasure } from '../erasure.ts';
import type { StatisticsSteps } from '../tables/statistics-table.ts';

export function postgresErasure(database: Database, forgetDomain: StatisticsSteps['forgetDomain']): Erasure {
  return erasure(database, {
    forgetDomain,
    forgetInbox(project, device, inbox) {
      const key = [project, device] as const;
      const ofDevice =
        'FROM device_sighting s WHERE s.project_id = device.project_id AND s.device = device.device';
      return [
        statement(
          'DELETE FROM device_sighting WHERE project_id = ? AND device = ? AND inbox = ?',
          ...key,
          inbox,
        ),
        statement(
          `UPDATE device SET inboxes = (SELECT count(*) ${ofDevice}),
             blocked = (SELECT count(*) ${ofDevice} AND s.blocked = 1),
             first_seen = coalesce((SELECT min(s.first_seen) ${ofDevice}), first_seen),
             last_seen = coalesce((SELECT max(s.last_seen) ${ofDevice}), last_seen)
           WHERE project_id = ? AND device = ?`,
          ...key,
        ),
        statement('DELETE FROM device WHERE project_id = ? AND device = ? AND inboxes = 0', ...key),
      ];
    },
    forgetDevice: (project, device) =>
      ['device_sighting', 'device'].map((table) =>
        statement(`DELETE FROM ${table} WHERE project_id = ? AND device = ?`, project, device),
      ),
  });
}
