import { type Statement, statement } from '../database.ts';
import type { Condition } from './condition.ts';

/**
 * Takes a device out of the lists of these inboxes. Its place stays, because a full list says that there may be devices
 * that are not listed.
 */
export function unlistDevice(device: string, inboxes: Condition): Statement {
  return statement(
    `UPDATE inbox SET devices = replace(devices, ?, '""') WHERE ${inboxes.sql}`,
    JSON.stringify(device),
    ...inboxes.values,
  );
}

/** The inboxes that list a device. No index finds them. */
export function listing(device: string): Condition {
  return { sql: "replace(devices, ?, '') <> devices", values: [JSON.stringify(device)] };
}
