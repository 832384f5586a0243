import { type Database, statement, text } from '../database.ts';
import { type Erasure, erasure } from '../erasure.ts';

export function postgresErasure(database: Database): Erasure {
  return erasure(database, {
    async devicesOf(project, inbox) {
      const rows = await database.browse(
        statement('SELECT device FROM device_sighting WHERE project_id = ? AND inbox = ?', project, inbox),
      );
      return rows.map((row) => text(row, 'device'));
    },
  });
}
