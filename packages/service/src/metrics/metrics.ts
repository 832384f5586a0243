import cluster from 'node:cluster';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CheckRuns } from '../checks/run-checks.ts';
import { getOrMake } from '../model/get-or-make.ts';
import { within } from '../model/within.ts';
import { type MetricName, metricRow, type ReadAll } from './metric-table.ts';
import { answerTally, DURATION_BUCKETS, validationTally } from './tallies.ts';
import { shareMetrics } from './worker-metrics.ts';

/** Metrics for Prometheus. metric-table.ts declares each of them. */
export interface Metrics {
  answered(route: string, status: number, ms: number): void;
  /** A validation request arrived on the fast path or through Node’s HTTP parser. */
  validateRequest(path: 'fast' | 'node'): void;
  validated(runs: CheckRuns, recommendation: string): void;
  /** `reason` is the error’s name, one of a fixed set. */
  refused(reason: string): void;
  /** A 503 and why. */
  unavailable(reason: 'store' | 'overload'): void;
  verdictSigned(): void;
  /** The store counted a request in this time. */
  settled(ms: number): void;
  /** An operation of the store failed with this code. */
  storeFailed(code: string): void;
  /** Adds to a counter that changes rarely. */
  count(name: MetricName, labels?: Readonly<Record<string, string>>, by?: number): void;
  /** A counter or gauge whose value is read on each scrape. */
  read(name: MetricName, value: () => number): void;
  /** The same with labels, for several values. */
  readonly readAll: ReadAll;
  readonly contentType: string;
  text(): Promise<string>;
  /** What other processes add to theirs. */
  snapshot(): Promise<object[]>;
}

/** Counters that are increased where something happens. All others are read on a scrape. */
const COUNTED: readonly MetricName[] = [
  'postern_worker_restarts_total',
  'postern_connections_refused_total',
  'postern_resource_shortages_total',
  'postern_refusals_total',
  'postern_unavailable_total',
  'postern_check_faults_total',
  'postern_verdict_key_reload_failures_total',
  'postern_outcomes_total',
  'postern_agents_total',
  'postern_challenges_total',
  'postern_claims_total',
  'postern_hook_answers_total',
  'postern_hook_open_total',
  'postern_rule_faults_total',
  'postern_store_failures_total',
  'postern_sweep_rows_total',
  'postern_sweep_failures_total',
  'postern_feed_refreshes_total',
  'postern_webhook_attempts_total',
];

/**
 * prom-client’s own lag wakes an idle process a hundred times a second and cannot be left out; `watchEventLoop` replaces
 * it. Three gauges have names that only counters may have; those of each kind say more.
 */
const REMOVED = /^nodejs_(eventloop_lag|active_\w+_total$)/;
const NEVER_MS = 2 ** 31 - 1;

/** A value that takes longer to read than this is left out of the scrape. */
const READ_LIMIT_MS = 2_000;

export function createMetrics(): Metrics {
  /** Of this process. With several workers they are added up. */
  const own = new Registry();
  /** Of the whole instance: every process would read the same. */
  const shared = new Registry();
  collectDefaultMetrics({ register: own, eventLoopMonitoringPrecision: NEVER_MS });
  for (const { name } of own.getMetricsAsArray()) if (REMOVED.test(name)) own.removeSingleMetric(name);
  const validationArrived = watchEventLoop(own);
  const registryOf = (name: MetricName) => (metricRow(name).combine === 'once' ? shared : own);

  const counters = new Map<MetricName, Counter>();
  const counterNamed = (name: MetricName): Counter =>
    getOrMake(counters, name, () => new Counter(optionsOf(name, own)));
  // They are there from the start, so that a first increase is seen as one.
  for (const name of COUNTED) counterNamed(name);
  for (const reason of ['store', 'overload']) counterNamed('postern_unavailable_total').inc({ reason }, 0);
  const settles = new Histogram({
    ...optionsOf('postern_store_settle_seconds', own),
    buckets: DURATION_BUCKETS,
  });
  let signed = 0;
  const readAll: ReadAll = (name, values) => {
    const collect = async (
      set: (labels: Record<string, string>, value: number) => void,
      reset: () => void,
    ) => {
      const read = await withinLimit(Promise.resolve().then(values));
      reset();
      for (const [labels, value] of read ?? []) set(labels, value);
    };
    const options = optionsOf(name, registryOf(name));
    if (metricRow(name).type === 'counter')
      new Counter({
        ...options,
        collect() {
          return collect(
            (labels, value) => this.inc(labels, value),
            () => this.reset(),
          );
        },
      });
    else
      new Gauge({
        ...options,
        collect() {
          return collect(
            (labels, value) => this.set(labels, value),
            () => this.reset(),
          );
        },
      });
  };
  const read: Metrics['read'] = (name, value) => readAll(name, () => [[{}, value()]]);
  read('postern_verdicts_signed_total', () => signed);

  const textOfOwn = cluster.isWorker ? shareMetrics(() => own.getMetricsAsJSON()) : () => own.metrics();
  const { answered, validateRequest } = answerTally((name) => optionsOf(name, own), readAll);
  return {
    answered,
    validateRequest: (path) => {
      validationArrived();
      validateRequest(path);
    },
    validated: validationTally(readAll),
    refused: (reason) =>
      counterNamed('postern_refusals_total').inc({ reason: reason.toLowerCase().replaceAll('_', '-') }),
    unavailable: (reason) => counterNamed('postern_unavailable_total').inc({ reason }),
    verdictSigned: () => {
      signed += 1;
    },
    settled: (ms) => settles.observe(ms / 1000),
    storeFailed: (code) => counterNamed('postern_store_failures_total').inc({ code }),
    count: (name, labels = {}, by = 1) => counterNamed(name).inc(labels, by),
    read,
    readAll,
    contentType: own.contentType,
    text: async () => `${await textOfOwn()}\n${await shared.metrics()}`,
    snapshot: () => own.getMetricsAsJSON(),
  };
}

function optionsOf(name: MetricName, registry: Registry) {
  const { help, labels, combine } = metricRow(name);
  const aggregator = combine === 'min' ? ('min' as const) : ('sum' as const);
  return { name, help, labelNames: [...labels], aggregator, registers: [registry] };
}

/** A scrape must not fail because the store does: that is when it is needed most. */
const withinLimit = <T>(reading: Promise<T>): Promise<T | undefined> =>
  within(
    reading.catch(() => undefined),
    READ_LIMIT_MS,
    undefined,
  );

const QUIET_AFTER_MS = 10_000;

/** As prom-client names them, so that ready-made dashboards find them. */
const GAUGES = [
  ['p50', 'The 50th percentile of the event loop’s delays', 'average'],
  ['p99', 'The 99th percentile of the event loop’s delays', 'average'],
  ['max', 'The longest delay of the event loop', 'max'],
] as const;

/**
 * The event loop’s delays since the last scrape, measured only while validations arrive: measuring wakes the process a
 * hundred times a second. Returns a function to call for each validation.
 */
export function watchEventLoop(register: Registry): () => void {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  const values = {
    p50: () => delays.percentile(50),
    p99: () => delays.percentile(99),
    max: () => delays.max,
  };
  let read = 0;
  for (const [name, help, aggregator] of GAUGES)
    new Gauge({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      help: `${help} since the last scrape, while validations arrive.`,
      aggregator,
      registers: [register],
      collect() {
        this.set(delays.count === 0 ? 0 : values[name]() / 1e9);
        read += 1;
        if (read % GAUGES.length === 0) delays.reset();
      },
    });
  let measuring: NodeJS.Timeout | undefined;
  let arrived = false;
  const look = () => {
    if (arrived) {
      arrived = false;
      return;
    }
    delays.disable();
    clearInterval(measuring);
    measuring = undefined;
  };
  return () => {
    arrived = true;
    if (measuring !== undefined) return;
    delays.enable();
    measuring = setInterval(look, QUIET_AFTER_MS).unref();
  };
}
