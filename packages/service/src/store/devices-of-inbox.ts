import { type Database, json, statement, text } from './database.ts';
import { MAX_DEVICES_LISTED } from './inbox-memory.ts';
import { keyRanges } from './key-ranges.ts';

/** The devices that remember the inbox, all of them. An inbox lists its last devices. */
export async function devicesOfInbox(database: Database, project: string, inbox: string): Promise<string[]> {
  const bringing = async (among: string, values: readonly string[]) => {
    const rows = await database.browse(
      statement(
        `SELECT device FROM device_sighting WHERE project_id = ? AND inbox = ? AND ${among}`,
        ...[project, inbox, ...values],
      ),
    );
    return rows.map((row) => text(row, 'device'));
  };
  const [row] = await database.browse(
    statement('SELECT devices FROM inbox WHERE project_id = ? AND inbox = ?', project, inbox),
  );
  const listed = row ? json<string[]>(row, 'devices') : [];
  if (listed.length === 0) return [];
  if (listed.length < MAX_DEVICES_LISTED)
    return bringing(`device IN (${listed.map(() => '?').join(', ')})`, listed);
  // The list is full, so there may have been more.
  const devices: string[] = [];
  for await (const range of keyRanges(database, 'device', 'device', project)) {
    devices.push(...(await bringing('device > ? AND device <= ?', range)));
  }
  return devices;
}
