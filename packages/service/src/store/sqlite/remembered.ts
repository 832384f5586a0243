import type { History } from '../../model/history.ts';
import { deviceHistory } from '../device-memory.ts';
import type { Connection } from './connection.ts';
import { deviceRows } from './device-rows.ts';
import { inboxRows } from './inbox-rows.ts';
import type { Sighting } from './sighting.ts';

/**
 * What projects remember of the inboxes and devices of a batch, inside its transaction. Every sighting sees what
 * those before it left.
 */
export function remembered(connection: Connection) {
  const inboxesOf = inboxRows(connection);
  const devicesOf = deviceRows(connection);
  return (sightings: readonly Sighting[]): History[] => {
    const inboxes = inboxesOf(sightings.map(({ projectId, inbox }) => [projectId, inbox]));
    const devices = devicesOf(
      sightings.flatMap(({ projectId, device }) => (device === null ? [] : [[projectId, device]])),
    );
    const histories = sightings.map((sighting) => ({
      inboxReused: inboxes.see(sighting),
      device:
        sighting.device === null ? null : deviceHistory(devices.see(sighting, sighting.device), sighting),
    }));
    inboxes.save();
    devices.save();
    return histories;
  };
}
