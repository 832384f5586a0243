import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

/**
 * With several workers behind one port a scrape reaches one of them, so that worker asks the primary process for the
 * sum of all workers.
 */
interface MetricsQuestion {
  readonly metricsAsked: number;
}
interface MetricsAnswer {
  readonly metricsAnswered: number;
  readonly text: string;
}

/** In the primary process: answers workers that request the metrics. */
export function addUpWorkerMetrics(): void {
  const aggregator = new AggregatorRegistry();
  cluster.on('message', (worker: Worker, message: Partial<MetricsQuestion>) => {
    const { metricsAsked } = message;
    if (metricsAsked === undefined) return;
    void aggregator.clusterMetrics().then(
      (text) => worker.send({ metricsAnswered: metricsAsked, text } satisfies MetricsAnswer),
      () => worker.send({ metricsAnswered: metricsAsked, text: '' } satisfies MetricsAnswer),
    );
  });
}

let asked = 0;

/** In a worker: reports its own metrics and reads the sum of all. */
export function shareMetrics(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
  return () =>
    new Promise((resolve, reject) => {
      asked += 1;
      const question: MetricsQuestion = { metricsAsked: asked };
      const read = (message: Partial<MetricsAnswer>) => {
        if (message.metricsAnswered !== question.metricsAsked) return;
        process.off('message', read);
        if (message.text === '') reject(new Error('The workers’ metrics could not be collected'));
        else resolve(message.text ?? '');
      };
      process.on('message', read);
      process.send?.(question);
    });
}
