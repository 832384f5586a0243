import type { History } from '../../model/history.ts';
import type { Connection } from './connection.ts';
import { deviceRows } from './device-rows.ts';
import { inboxRows } from './inbox-rows.ts';
import type { Wanted } from './known-rows.ts';
import type { Sighting } from './sighting.ts';

/**
 * What projects remember of the inboxes and devices of a batch, inside its transaction. Every sighting sees what
 * those before it left.
 */
export function remembered(connection: Connection) {
  const inboxes = inboxRows(connection);
  const devices = deviceRows(connection);

  const load = (sightings: readonly Sighting[]) => {
    const wantedDevices: Wanted[] = [];
    for (const { projectId, device } of sightings) {
      if (device !== null) wantedDevices.push([projectId, device]);
    }
    devices.load(wantedDevices);
    inboxes.load(sightings.map(({ projectId, inbox }) => [projectId, inbox]));
  };

  return {
    seeAll(sightings: readonly Sighting[]): History[] {
      load(sightings);
      return sightings.map((sighting) => {
        const inboxReused = inboxes.see(sighting);
        const device = sighting.device === null ? null : devices.see(sighting, sighting.device, inboxReused);
        return { device, inboxReused };
      });
    },
    save(): void {
      inboxes.save();
      devices.save();
    },
    forget(): void {
      inboxes.forget();
      devices.forget();
    },
  };
}
