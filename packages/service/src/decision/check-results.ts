import type { CheckName, CheckResult } from '@postern/contract';
import type { CheckRun, CheckRuns } from '../checks/run-checks.ts';

/** The findings in the format of the API. */
export function checkResults(runs: CheckRuns): Partial<Record<CheckName, CheckResult>> {
  const results: Partial<Record<CheckName, CheckResult>> = {};
  for (const run of runs) results[run.check] = checkResult(run);
  return results;
}

/**
 * The one place where "could not tell" becomes the API’s boolean: the check passes, and the result says that it could
 * not tell.
 */
export function checkResult({ finding, latencyMs }: CheckRun): CheckResult {
  const latency = roundMs(latencyMs);
  switch (finding.result) {
    case 'passed':
      return finding.metadata === undefined
        ? { pass: true, latency }
        : { pass: true, latency, metadata: finding.metadata };
    case 'failed':
      return finding.metadata === undefined
        ? { pass: false, error: finding.error, latency }
        : { pass: false, error: finding.error, latency, metadata: finding.metadata };
    case 'unknown':
      return {
        pass: true,
        latency,
        metadata: { ...finding.metadata, status: 'unknown', reason: finding.reason },
      };
  }
}

/** Milliseconds, rounded to the microsecond. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
