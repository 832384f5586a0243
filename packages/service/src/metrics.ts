import cluster from 'node:cluster';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CheckRuns } from './checks/run-checks.ts';
import { shareMetrics } from './worker-metrics.ts';

/** Metrics for Prometheus. Labels contain routes, statuses and check names, never a project, a key or a person. */
export interface Metrics {
  answered(route: string, status: number, ms: number): void;
  /** A validation request arrived on the fast path or through Node’s HTTP parser. */
  validateRequest(path: 'fast' | 'node'): void;
  validated(runs: CheckRuns, recommendation: string): void;
  /** `reason` is the error’s name, one of a fixed set. */
  refused(reason: string): void;
  checkFault(check: string): void;
  outcomesRecorded(recorded: number, unknown: number): void;
  webhookAttempt(result: 'delivered' | 'retried' | 'failed'): void;
  /** A value that is read on each scrape. */
  gauge(name: string, help: string, read: () => number, ofWorkers?: 'sum' | 'min'): void;
  /** The same with labels, for several values. All workers report the same values. */
  gauges<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    read: () => Labelled<L>[] | Promise<Labelled<L>[]>,
  ): void;
  readonly contentType: string;
  text(): Promise<string>;
}

export type Labelled<L extends string> = readonly [labels: Record<L, string>, figure: number];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const answers = createAnswerTally(registers);
  const tally = createTally(registers);
  const faults = new Counter({
    name: 'postern_check_faults_total',
    help: 'Checks that threw; each passed as unknown.',
    labelNames: ['check'],
    registers,
  });

  const outcomes = new Counter({
    name: 'postern_outcomes_total',
    help: 'Outcomes that were reported: recorded, or about somebody unknown.',
    labelNames: ['result'],
    registers,
  });
  const deliveries = new Counter({
    name: 'postern_webhook_attempts_total',
    help: 'Attempts to deliver a webhook event, by result.',
    labelNames: ['result'],
    registers,
  });
  const paths = { fast: 0, node: 0 };
  new Counter({
    name: 'postern_validate_requests_total',
    help: 'Validation requests by the path that read them: fast, or node where the fast path handed over.',
    labelNames: ['path'],
    registers,
    collect() {
      this.reset();
      this.inc({ path: 'fast' }, paths.fast);
      this.inc({ path: 'node' }, paths.node);
    },
  });
  const refusals = new Counter({
    name: 'postern_refusals_total',
    help: 'Validation requests that were refused, by reason.',
    labelNames: ['reason'],
    registers,
  });

  return {
    outcomesRecorded: (recorded, unknown) => {
      outcomes.inc({ result: 'recorded' }, recorded);
      outcomes.inc({ result: 'unknown' }, unknown);
    },
    webhookAttempt: (result) => deliveries.inc({ result }),
    refused: (reason) => refusals.inc({ reason: reason.toLowerCase().replaceAll('_', '-') }),
    answered: answers.count,
    validateRequest: (path) => {
      paths[path] += 1;
    },
    validated: tally.count,
    checkFault: (check) => faults.inc({ check }),
    gauge: (name, help, read, ofWorkers = 'sum') => {
      new Gauge({
        aggregator: ofWorkers,
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    gauges: (name, help, labelNames, read) => {
      new Gauge({
        aggregator: 'max',
        name,
        help,
        labelNames,
        registers,
        async collect() {
          const figures = await read();
          this.reset();
          for (const [labels, figure] of figures) this.set(labels, figure);
        },
      });
    },
    contentType: registry.contentType,
    text: cluster.isWorker ? shareMetrics(registry) : () => registry.metrics(),
  };
}

/** Upper bounds in seconds, the unit that Prometheus expects. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Counts answers by route and status in plain numbers. The registry reads them on each scrape. */
function createAnswerTally(registers: Registry[]): { count: Metrics['answered'] } {
  const counts = new Map<string, Map<number, number>>();
  new Counter({
    name: 'postern_http_requests_total',
    help: 'Answers by route and status.',
    labelNames: ['route', 'status'],
    registers,
    collect() {
      this.reset();
      for (const [route, statuses] of counts) {
        for (const [status, count] of statuses) this.inc({ route, status }, count);
      }
    },
  });
  const duration = new Histogram({
    name: 'postern_http_request_seconds',
    help: 'Time from the request’s arrival to the end of the answer.',
    labelNames: ['route'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  return {
    count: (route, status, ms) => {
      let statuses = counts.get(route);
      if (statuses === undefined) {
        statuses = new Map();
        counts.set(route, statuses);
      }
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      duration.observe({ route }, ms / 1000);
    },
  };
}

interface CheckTally {
  passed: number;
  failed: number;
  unknown: number;
  ms: number;
}

/**
 * Counts validations in plain numbers and passes them to the registry on each scrape, because a request increments
 * about twenty.
 */
function createTally(registers: Registry[]): { count: Metrics['validated'] } {
  const recommended = new Map<string, number>();
  const checks = new Map<string, CheckTally>();
  new Counter({
    name: 'postern_validations_total',
    help: 'Validations by recommendation.',
    labelNames: ['recommendation'],
    registers,
    collect() {
      this.reset();
      for (const [recommendation, count] of recommended) this.inc({ recommendation }, count);
    },
  });
  new Counter({
    name: 'postern_checks_total',
    help: 'Checks that ran, by outcome.',
    labelNames: ['check', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const [check, { passed, failed, unknown }] of checks) {
        for (const [outcome, count] of Object.entries({ passed, failed, unknown }))
          this.inc({ check, outcome }, count);
      }
    },
  });
  new Counter({
    name: 'postern_check_seconds_total',
    help: 'Time spent in each check.',
    labelNames: ['check'],
    registers,
    collect() {
      this.reset();
      for (const [check, { ms }] of checks) this.inc({ check }, ms / 1000);
    },
  });
  return {
    count: (runs, recommendation) => {
      recommended.set(recommendation, (recommended.get(recommendation) ?? 0) + 1);
      for (const { check, finding, latencyMs } of runs) {
        let tally = checks.get(check);
        if (tally === undefined) {
          tally = { passed: 0, failed: 0, unknown: 0, ms: 0 };
          checks.set(check, tally);
        }
        tally[finding.outcome] += 1;
        tally.ms += latencyMs;
      }
    },
  };
}
