import type { EventStore } from '../store/event-store.ts';
import type { Settlement, Submission } from '../store/store.ts';

/** Shares of the month’s quota at which members are told, in percent. */
const THRESHOLDS = [100, 80] as const;
const MAX_REMEMBERED = 10_000;

/**
 * Looks at what each request’s counting left, and writes `quota.reached` when a threshold is passed. The event’s ID
 * names project, month and threshold, so that many processes write it once; what this process wrote it remembers.
 */
export function createQuotaWatch(
  events: Pick<EventStore, 'add'>,
  onFault: (fault: unknown) => void,
): (submission: Submission, settlement: Settlement) => void {
  const written = new Set<string>();
  return (submission, settlement) => {
    if (settlement.outcome === 'stale' || submission.mode === 'test') return;
    const { used } = settlement.quota;
    const limit = submission.wholeQuota ?? settlement.quota.limit;
    if (limit <= 0 || used * 100 < limit * 80) return;
    const { projectId, month, now } = submission;
    const percent = THRESHOLDS.find((threshold) => used * 100 >= limit * threshold) ?? 80;
    const id = `quota.reached-${month}-${percent}`;
    const key = `${projectId} ${id}`;
    if (written.has(key)) return;
    if (written.size >= MAX_REMEMBERED) written.clear();
    written.add(key);
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
