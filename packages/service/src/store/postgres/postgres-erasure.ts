import { type Database, statement, text } from '../database.ts';
import { type Erasure, erasure } from '../erasure.ts';
import type { StatisticsSteps } from '../tables/statistics-table.ts';

export function postgresErasure(database: Database, forgetDomain: StatisticsSteps['forgetDomain']): Erasure {
  return erasure(database, {
    forgetDomain,
    async devicesOf(project, inbox) {
      const rows = await database.browse(
        statement('SELECT device FROM device_sighting WHERE project_id = ? AND inbox = ?', project, inbox),
      );
      return rows.map((row) => text(row, 'device'));
    },
  });
}
