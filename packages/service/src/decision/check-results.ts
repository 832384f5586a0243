import type { CheckName, CheckResult } from '@postern/contract';
import type { CheckRun, CheckRuns } from '../checks/run-checks.ts';

/** The findings as the wire has them. */
export function checkResults(runs: CheckRuns): Partial<Record<CheckName, CheckResult>> {
  const results: Partial<Record<CheckName, CheckResult>> = {};
  for (const run of runs) results[run.check] = checkResult(run);
  return results;
}

/** The one place where "could not tell" becomes the wire’s boolean: it passes, and says so. */
export function checkResult({ finding, latencyMs }: CheckRun): CheckResult {
  const latency = roundMs(latencyMs);
  switch (finding.outcome) {
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

/** Milliseconds to the microsecond: fractions are kept, noise is not. */
export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
