import { HOUR_MS } from '@postern/contract';
import type { Store } from '../store/store.ts';
import type { NewEvent } from '../store/tables/event-table.ts';

/**
 * Something that members of a project should know. It is reported once for each `about`, and else once an hour, by whichever
 * process is first.
 */
export interface Alert extends Pick<NewEvent, 'projectId' | 'type' | 'at' | 'data'> {
  readonly about?: readonly (string | number)[];
}

/** Writes the alert as an event. */
export async function reportAlert(store: Pick<Store, 'events'>, alert: Alert): Promise<void> {
  // Writing an event again changes nothing, but takes SQLite’s only writer and clears its caches.
  if (await isReported(store, alert)) return;
  const { projectId, type, at, data } = alert;
  await store.events.add({ projectId, id: alertId(alert), type, at, logId: null, data });
}

async function isReported(
  { events }: Pick<Store, 'events'>,
  alert: Pick<Alert, 'projectId' | 'type' | 'at' | 'about'>,
): Promise<boolean> {
  return (await events.find(alert.projectId, alertId(alert))) !== undefined;
}

/** The event’s ID: what happened, and about what. */
export function alertId({
  type,
  at,
  about = [Math.floor(at / HOUR_MS)],
}: Pick<Alert, 'type' | 'at' | 'about'>): string {
  return [type, ...about].join('-');
}
