import { AggregatorRegistry, type Registry } from 'prom-client';

/** The metrics of one process at one time, in prom-client’s JSON form. */
export type Snapshot = readonly object[];

/**
 * Adds up the metrics of all workers. What a worker counted before it ended stays in the sum: if it left, the sum would
 * fall, and Prometheus would take that for a restart of the whole service and count everything again.
 */
export interface WorkerTotals {
  update(worker: number, snapshot: Snapshot): void;
  /** The worker has ended. Its counters stay, its gauges go. */
  retire(worker: number): Promise<void>;
  text(own: Snapshot): Promise<string>;
}

export function createWorkerTotals(): WorkerTotals {
  const live = new Map<number, Snapshot>();
  const ended = new Set<number>();
  let retired: Snapshot = [];
  return {
    update(worker, snapshot) {
      // A message can arrive after the exit. Its sender is already counted.
      if (!ended.has(worker)) live.set(worker, snapshot);
    },
    async retire(worker) {
      ended.add(worker);
      const last = live.get(worker) ?? [];
      live.delete(worker);
      retired = (await sumOf([retired, last]).getMetricsAsJSON()).filter(isCumulative);
    },
    text: (own) => sumOf([own, ...live.values(), retired]).metrics(),
  };
}

function sumOf(snapshots: readonly Snapshot[]): Registry {
  return AggregatorRegistry.aggregate([...snapshots]);
}

function isCumulative({ type }: { readonly type?: unknown }): boolean {
  return type === 'counter' || type === 'histogram' || type === 'summary';
}
