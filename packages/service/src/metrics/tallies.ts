import { Histogram, type HistogramConfiguration } from 'prom-client';
import type { CheckRuns } from '../checks/run-checks.ts';
import { getOrMake } from '../model/get-or-make.ts';
import type { MetricName, ReadAll } from './metric-table.ts';

/** Upper bounds in seconds, the unit that Prometheus expects. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

type OptionsOf = (name: MetricName) => HistogramConfiguration<string>;

/** Counts answers by route and status in plain numbers. The registry reads them on each scrape. */
export function answerTally(optionsOf: OptionsOf, readAll: ReadAll) {
  const counts = new Map<string, Map<number, number>>();
  const paths = { fast: 0, node: 0 };
  readAll('postern_http_requests_total', () =>
    [...counts].flatMap(([route, statuses]) =>
      [...statuses].map(([status, count]) => [{ route, status: String(status) }, count] as const),
    ),
  );
  readAll('postern_validate_requests_total', () => [
    [{ path: 'fast' }, paths.fast],
    [{ path: 'node' }, paths.node],
  ]);
  const duration = new Histogram({
    ...optionsOf('postern_http_request_seconds'),
    buckets: DURATION_BUCKETS,
  });
  return {
    answered: (route: string, status: number, ms: number): void => {
      const statuses = getOrMake(counts, route, () => new Map());
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      duration.observe({ route }, ms / 1000);
    },
    validateRequest: (path: 'fast' | 'node'): void => {
      paths[path] += 1;
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
export function validationTally(readAll: ReadAll) {
  const recommended = new Map<string, number>();
  const checks = new Map<string, CheckTally>();
  readAll('postern_validations_total', () =>
    [...recommended].map(([recommendation, count]) => [{ recommendation }, count] as const),
  );
  readAll('postern_checks_total', () =>
    [...checks].flatMap(([check, { passed, failed, unknown }]) =>
      Object.entries({ passed, failed, unknown }).map(
        ([result, count]) => [{ check, result }, count] as const,
      ),
    ),
  );
  readAll('postern_check_seconds_total', () =>
    [...checks].map(([check, { ms }]) => [{ check }, ms / 1000] as const),
  );
  return (runs: CheckRuns, recommendation: string): void => {
    recommended.set(recommendation, (recommended.get(recommendation) ?? 0) + 1);
    for (const { check, finding, latencyMs } of runs) {
      const tally = getOrMake(checks, check, () => ({ passed: 0, failed: 0, unknown: 0, ms: 0 }));
      tally[finding.result] += 1;
      tally.ms += latencyMs;
    }
  };
}
