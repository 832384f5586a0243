import { BoundedMap } from '../model/bounded-map.ts';
import { monthOf } from '../model/windows.ts';
import type { Settlement, Submission } from '../store/store.ts';
import type { EventStore } from '../store/tables/event-table.ts';
import { alertId } from './report-alert.ts';

/** The percentages of the month’s quota that raise an event. */
const THRESHOLDS = [100, 80] as const;
const MAX_REMEMBERED = 10_000;

/** How much of the month’s quota a project has used at that time. */
export interface QuotaUse {
  readonly projectId: string;
  readonly used: number;
  readonly limit: number;
  readonly now: number;
}

/**
 * Writes the event `quota.reached` when a project’s use goes over a threshold. The event’s ID names project, month and
 * threshold, so several processes together write it only once. Each process remembers what it wrote, so that it does
 * not write again with every request.
 */
export function createUseWatch(
  events: Pick<EventStore, 'add'>,
  onFault: (fault: unknown) => void,
): (use: QuotaUse) => void {
  const written = new BoundedMap<string, true>(MAX_REMEMBERED);
  return ({ projectId, used, limit, now }) => {
    if (limit <= 0 || used * 100 < limit * 80) return;
    const month = monthOf(now);
    const percent = THRESHOLDS.find((threshold) => used * 100 >= limit * threshold) ?? 80;
    const id = alertId({ type: 'quota.reached', at: now, about: [month, percent] });
    const key = `${projectId} ${id}`;
    if (written.get(key)) return;
    written.set(key, true);
    const message = `Project ${projectId} has used ${percent}% of its ${limit} validations for ${month}.`;
    const data = { percent, limit, used, month, message };
    events
      .add({ projectId, id, type: 'quota.reached', at: now, logId: null, data })
      .catch((fault: unknown) => {
        written.delete(key);
        onFault(fault);
      });
  };
}

/** Does that for each settled request of a live key. */
export function createQuotaWatch(
  events: Pick<EventStore, 'add'>,
  onFault: (fault: unknown) => void,
): (submission: Submission, settlement: Settlement) => void {
  const watchUse = createUseWatch(events, onFault);
  return ({ mode, projectId, wholeQuota, now }, settlement) => {
    if (settlement.result === 'stale' || mode === 'test') return;
    const { used, limit } = settlement.quota;
    watchUse({ projectId, used, limit: wholeQuota ?? limit, now });
  };
}
