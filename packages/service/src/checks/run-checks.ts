import type { CheckName } from '@postern/contract';
import type { History } from '../model/history.ts';
import type { Check, CheckInput, Finding } from './check.ts';

/** A finding and how long it took. */
export interface CheckRun {
  readonly finding: Finding;
  readonly latencyMs: number;
}

/** What the checks that ran found. A check that did not run is absent. */
export type CheckRuns = ReadonlyMap<CheckName, CheckRun>;

export type Checks = Readonly<Record<CheckName, Check>>;

export interface RunOptions {
  /** A check that has not answered by then could not tell. */
  readonly limitMs: number;
  /** Milliseconds with fractions, from any start. */
  readonly stopwatch: () => number;
  /** A check threw: a fault of ours, for the log, and never the end user’s. */
  readonly onFault: (name: CheckName, fault: unknown) => void;
}

/** Runs the named checks side by side. It alone times, limits and catches. Never rejects. */
export async function runChecks(
  checks: Checks,
  names: readonly CheckName[],
  input: CheckInput,
  options: RunOptions,
): Promise<CheckRuns> {
  const { stopwatch } = options;
  const runs = new Map<CheckName, CheckRun>();
  const pending: Promise<void>[] = [];
  const started = stopwatch();
  let since = started;
  for (const name of names) {
    const finding = inspect(checks[name], name, input, options);
    if (finding === undefined) continue;
    if (finding instanceof Promise) pending.push(runLater(runs, name, finding, since, options));
    else runs.set(name, { finding, latencyMs: stopwatch() - since });
    since = stopwatch();
  }
  if (pending.length > 0) {
    await allOrLimit(pending, options.limitMs);
    for (const [name, run] of runs) {
      if (run === UNANSWERED) runs.set(name, { finding: TIMEOUT, latencyMs: stopwatch() - started });
    }
  }
  return runs;
}

const TIMEOUT: Finding = { outcome: 'unknown', reason: 'timeout' };
/** Holds a check’s place in the order until it answers. */
const UNANSWERED: CheckRun = { finding: TIMEOUT, latencyMs: 0 };

/** What the check says, now or later; nothing when the request does not carry what it looks at. */
function inspect(
  check: Check,
  name: CheckName,
  input: CheckInput,
  { onFault }: RunOptions,
): Finding | Promise<Finding> | undefined {
  try {
    return check.applies?.(input) === false ? undefined : check.inspect(input);
  } catch (fault) {
    onFault(name, fault);
    return INTERNAL_ERROR;
  }
}

const INTERNAL_ERROR: Finding = { outcome: 'unknown', reason: 'internal-error' };

async function runLater(
  runs: Map<CheckName, CheckRun>,
  name: CheckName,
  later: Promise<Finding>,
  since: number,
  { stopwatch, onFault }: RunOptions,
): Promise<void> {
  runs.set(name, UNANSWERED);
  const finding = await later.catch((fault: unknown) => {
    onFault(name, fault);
    return INTERNAL_ERROR;
  });
  // What comes after the limit is too late to be told.
  if (runs.get(name) === UNANSWERED) runs.set(name, { finding, latencyMs: stopwatch() - since });
}

/** Adds what the project’s memory says. A run that it does not change stays the same object. */
export function recallChecks(
  checks: Checks,
  runs: CheckRuns,
  input: CheckInput,
  history: History,
): CheckRuns {
  const recalled = new Map(runs);
  for (const [name, { finding, latencyMs }] of runs) {
    const added = checks[name].recall?.(finding, history, input) ?? finding;
    if (added !== finding) recalled.set(name, { finding: added, latencyMs });
  }
  return recalled;
}

async function allOrLimit(pending: readonly Promise<void>[], limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([Promise.all(pending), limit]);
  clearTimeout(timer);
}
