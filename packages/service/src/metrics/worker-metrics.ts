import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

/** Workers report regularly, so that little is lost when one is killed between two scrapes. */
const REPORT_EVERY_MS = 1_000;
/** A worker that does not report in this time counts with its last report. */
const FRESH_LIMIT_MS = 1_000;
const ANSWER_LIMIT_MS = 5_000;

/** Messages between a worker and the primary process. */
interface MetricsMessage {
  /** A worker reports its metrics, on its own or because it was asked. */
  readonly metricsReport?: Snapshot;
  /** The primary asks each worker for a report. */
  readonly metricsWanted?: true;
  /** A worker that is scraped asks for the sum of all workers. */
  readonly metricsAsked?: number;
  readonly metricsAnswered?: number;
  readonly text?: string;
}

/**
 * In the primary process: adds up the workers’ metrics and answers a worker that is scraped. With several workers behind
 * one port a scrape reaches any of them.
 */
export function collectWorkerMetrics(ownSnapshot: () => Promise<Snapshot>): void {
  const totals = createWorkerTotals();
  const awaited = new Map<number, () => void>();

  const freshReports = async (): Promise<void> => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FRESH_LIMIT_MS);
    });
    const reports = workers.map(
      (worker) =>
        new Promise<void>((resolve) => {
          const earlier = awaited.get(worker.id);
          awaited.set(worker.id, () => {
            earlier?.();
            resolve();
          });
          send(worker, { metricsWanted: true });
        }),
    );
    await Promise.race([Promise.all(reports), limit]);
    clearTimeout(timer);
  };
  const reported = (id: number) => {
    awaited.get(id)?.();
    awaited.delete(id);
  };
  const answer = async (worker: Worker, question: number): Promise<void> => {
    await freshReports();
    send(worker, { metricsAnswered: question, text: await totals.text(await ownSnapshot()) });
  };

  cluster.on('message', (worker: Worker, message: MetricsMessage) => {
    if (message.metricsReport !== undefined) {
      totals.update(worker.id, message.metricsReport);
      reported(worker.id);
    }
    if (message.metricsAsked !== undefined)
      answer(worker, message.metricsAsked).catch(() =>
        send(worker, { metricsAnswered: message.metricsAsked ?? 0 }),
      );
  });
  cluster.on('exit', (worker) => {
    void totals.retire(worker.id);
    reported(worker.id);
  });
}

/** A worker that ends meanwhile cannot receive anything. */
function send(worker: Worker, message: MetricsMessage): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

let asked = 0;

/** In a worker: reports its own metrics and reads the sum of all. */
export function shareMetrics(snapshot: () => Promise<Snapshot>): () => Promise<string> {
  const send = (message: MetricsMessage) => process.send?.(message, undefined, undefined, () => {});
  const report = async (): Promise<void> => {
    if (process.connected) send({ metricsReport: await snapshot() });
  };
  setInterval(() => void report(), REPORT_EVERY_MS).unref();
  process.on('message', (message: MetricsMessage) => {
    if (message.metricsWanted === true) void report();
  });
  return () =>
    new Promise((resolve, reject) => {
      asked += 1;
      const question = asked;
      const finish = (text: string | undefined) => {
        clearTimeout(timer);
        process.off('message', read);
        if (text === undefined) reject(new Error('The workers’ metrics could not be collected'));
        else resolve(text);
      };
      const read = ({ metricsAnswered, text }: MetricsMessage) => {
        if (metricsAnswered === question) finish(text);
      };
      const timer = setTimeout(() => finish(undefined), ANSWER_LIMIT_MS);
      process.on('message', read);
      send({ metricsAsked: question });
    });
}

/** The metrics of one process at one time, in prom-client’s JSON form. */
type Snapshot = readonly object[];

/**
 * Adds up the metrics of all workers. What a worker counted before it ended stays in the sum: if it left, the sum would
 * fall, and Prometheus would take that for a restart of the whole service and count everything again.
 */
interface WorkerTotals {
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
