import type { Migration } from '../../migration.ts';

/**
 * A device’s inboxes that were answered `block` every time are no sign-ups. `device_sighting.blocked` is 1 for them,
 * `device.blocked` counts them, and in `inbox_list` they have a fifth number, 1.
 */
export const blockedSightings: Migration = {
  number: 2,
  name: 'blocked-sightings',
  sql: `
ALTER TABLE device ADD COLUMN blocked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE device_sighting ADD COLUMN blocked INTEGER NOT NULL DEFAULT 0;
`,
};
