import type { StatisticsStore } from '../tables/statistics-table.ts';

/** A project’s changes are merged after this many batches or requests, whichever comes first. A reader adds up the rest. */
const BATCHES_BETWEEN_MERGES = 256;
const REQUESTS_BETWEEN_MERGES = 1_024;
/** With more projects than this the counts start from zero, and their changes are merged a little later. */
const MAX_PROJECTS = 10_000;

/**
 * Merges the changes of a busy project, outside the transactions of its requests. What a quiet project leaves is merged
 * by the sweep.
 */
export function mergeSometimes(merge: StatisticsStore['merge']) {
  /** How close each project is to the next merge, from 0 to 1. */
  const unmerged = new Map<string, number>();
  const running = new Map<string, Promise<unknown>>();
  return {
    batchSettled(project: string, requests: number): void {
      const added = Math.max(1 / BATCHES_BETWEEN_MERGES, requests / REQUESTS_BETWEEN_MERGES);
      const waiting = (unmerged.get(project) ?? 0) + added;
      if (unmerged.size > MAX_PROJECTS) unmerged.clear();
      unmerged.set(project, waiting);
      // Two merges at once would read the same changes, and one of them for nothing.
      if (waiting < 1 || running.has(project)) return;
      unmerged.delete(project);
      // A merge that fails is made up for by the next one.
      const merging = merge(project)
        .catch(() => 0)
        .finally(() => running.delete(project));
      running.set(project, merging);
    },
    async idle(): Promise<void> {
      await Promise.all(running.values());
    },
  };
}
