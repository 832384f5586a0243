import { type Database, statement, text } from '../database.ts';
import { type Erasure, erasure, stretches } from '../erasure.ts';

/** Here a device may list its inboxes in its own row, and an inbox lists some of its devices; neither list has an index. */
export function sqliteErasure(database: Database): Erasure {
  return erasure(database, {
    async devicesOf(project, inbox) {
      const devices: string[] = [];
      for await (const [after, upTo] of stretches(database, 'device', 'device', project)) {
        const rows = await database.browse(
          statement(
            `SELECT device FROM device d WHERE project_id = ? AND device > ? AND device <= ?
             AND (instr(inbox_list, ?) > 0 OR (inbox_list IS NULL AND EXISTS (SELECT 1 FROM device_sighting s
               WHERE s.project_id = d.project_id AND s.device = d.device AND s.inbox = ?)))`,
            project,
            after,
            upTo,
            JSON.stringify(inbox),
            inbox,
          ),
        );
        devices.push(...rows.map((row) => text(row, 'device')));
      }
      return devices;
    },
    unlistInbox(project, device, inbox) {
      const others = 'FROM json_each(device.inbox_list) e WHERE e.value ->> 0 <> ?';
      return statement(
        `UPDATE device SET inbox_list = (SELECT json_group_array(json(e.value)) ${others}),
           inboxes = (SELECT count(*) ${others}),
           blocked = (SELECT count(e.value ->> 4) ${others}),
           first_seen = coalesce((SELECT min(e.value ->> 1) ${others}), first_seen),
           last_seen = coalesce((SELECT max(e.value ->> 2) ${others}), last_seen)
         WHERE project_id = ? AND device = ? AND inbox_list IS NOT NULL`,
        ...[inbox, inbox, inbox, inbox, inbox, project, device],
      );
    },
    async unlistDevice(project, device) {
      for await (const [after, upTo] of stretches(database, 'inbox', 'inbox', project)) {
        const listed = 'project_id = ? AND inbox > ? AND inbox <= ? AND instr(devices, ?) > 0';
        const values = [project, after, upTo, JSON.stringify(device)] as const;
        const found = await database.browse(
          statement(`SELECT 1 AS one FROM inbox WHERE ${listed} LIMIT 1`, ...values),
        );
        if (found.length === 0) continue;
        await database.write([
          statement(
            `UPDATE inbox SET devices = (SELECT json_group_array(e.value) FROM json_each(inbox.devices) e
               WHERE e.value <> ?) WHERE ${listed}`,
            device,
            ...values,
          ),
        ]);
      }
    },
  });
}
