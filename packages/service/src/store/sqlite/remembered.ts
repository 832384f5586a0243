import type { History } from '../../model/history.ts';
import { deviceHistory } from '../device-memory.ts';
import type { Connection } from './connection.ts';
import { deviceRows } from './device-rows.ts';
import { inboxRows } from './inbox-rows.ts';
import type { Sighting } from './sighting.ts';

/** What a project remembers of inboxes and devices, read and added to inside a transaction. */
export function remembered(connection: Connection) {
  const seeInbox = inboxRows(connection);
  const seeDevice = deviceRows(connection);
  return (sighting: Sighting): History => ({
    inboxReused: seeInbox(sighting),
    device: sighting.device === null ? null : deviceHistory(seeDevice(sighting, sighting.device), sighting),
  });
}
