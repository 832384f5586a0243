import type { CheckName } from '@postern/contract';
import type { FoundBy } from '../model/finding.ts';
import { within } from '../model/within.ts';
import { type Check, type CheckInput, type Finding, hasInput } from './check.ts';

/** What a check found and how long it took. */
export interface CheckRun extends FoundBy {
  readonly latencyMs: number;
}

/** What the checks that ran found, in the order of the names given. A check that did not run is absent. */
export type CheckRuns = readonly CheckRun[];

export function runOf(runs: CheckRuns, check: CheckName): CheckRun | undefined {
  return runs.find((run) => run.check === check);
}

export type Checks = Readonly<Record<CheckName, Check>>;

export interface RunOptions {
  /** A check that takes longer counts as "could not tell". */
  readonly limitMs: number;
  /** Milliseconds with fractions, from any start. */
  readonly stopwatch: () => number;
  /** Called when a check throws. That is our bug and goes to the log; the end user is not blocked for it. */
  readonly onFault: (name: CheckName, fault: unknown) => void;
}

/**
 * Runs the named checks in parallel. Only the runner measures time, applies the time limit and catches errors. Never
 * rejects. Synchronous if no check needs the network.
 */
export function runChecks(
  checks: Checks,
  names: readonly CheckName[],
  input: CheckInput,
  options: RunOptions,
): CheckRuns | Promise<CheckRuns> {
  const { stopwatch } = options;
  const runs: CheckRun[] = [];
  const pending: Promise<void>[] = [];
  let since = stopwatch();
  for (const check of names) {
    const finding = inspect(checks[check], check, input, options);
    if (finding === undefined) continue;
    if (finding instanceof Promise) {
      pending.push(runLater(runs, runs.length, check, finding, since, options));
      // A placeholder that keeps the check’s position. It stays if the check does not answer in time.
      runs.push({ check, finding: TIMEOUT, latencyMs: options.limitMs });
    } else runs.push({ check, finding, latencyMs: stopwatch() - since });
    since = stopwatch();
  }
  return pending.length === 0 ? runs : allOrLimit(runs, pending, options.limitMs);
}

const TIMEOUT: Finding = { result: 'unknown', reason: 'timeout' };

/** The check’s finding, now or later. Nothing if the request lacks its input. */
function inspect(
  check: Check,
  name: CheckName,
  input: CheckInput,
  { onFault }: RunOptions,
): Finding | Promise<Finding> | undefined {
  try {
    return hasInput(check, input) ? check.inspect(input) : undefined;
  } catch (fault) {
    onFault(name, fault);
    return INTERNAL_ERROR;
  }
}

const INTERNAL_ERROR: Finding = { result: 'unknown', reason: 'internal-error' };

async function runLater(
  runs: CheckRun[],
  place: number,
  check: CheckName,
  later: Promise<Finding>,
  since: number,
  { stopwatch, onFault }: RunOptions,
): Promise<void> {
  const finding = await later.catch((fault: unknown) => {
    onFault(check, fault);
    return INTERNAL_ERROR;
  });
  runs[place] = { check, finding, latencyMs: stopwatch() - since };
}

/** The runs when all checks have answered or the time is up. Later results are ignored. */
async function allOrLimit(
  runs: CheckRuns,
  pending: readonly Promise<void>[],
  limitMs: number,
): Promise<CheckRuns> {
  await within(Promise.all(pending), limitMs, undefined);
  return [...runs];
}
