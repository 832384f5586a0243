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
  const runs = new Map<CheckName, CheckRun>();
  const pending: Promise<void>[] = [];
  const started = options.stopwatch();
  const finish = (name: CheckName, finding: Finding, since: number) => {
    // What comes after the limit is too late to be told.
    if (!runs.has(name)) runs.set(name, { finding, latencyMs: options.stopwatch() - since });
  };
  const fail = (name: CheckName, fault: unknown, since: number) => {
    options.onFault(name, fault);
    finish(name, { outcome: 'unknown', reason: 'internal-error' }, since);
  };

  const ran: CheckName[] = [];
  for (const name of names) {
    const check = checks[name];
    const since = options.stopwatch();
    try {
      if (check.applies?.(input) === false) continue;
      ran.push(name);
      const finding = check.inspect(input);
      if (!(finding instanceof Promise)) finish(name, finding, since);
      else {
        pending.push(
          finding.then(
            (late) => finish(name, late, since),
            (fault: unknown) => fail(name, fault, since),
          ),
        );
      }
    } catch (fault) {
      fail(name, fault, since);
    }
  }

  if (pending.length > 0) await allOrLimit(pending, options.limitMs);
  const inOrder = new Map<CheckName, CheckRun>();
  for (const name of ran) {
    const run = runs.get(name) ?? {
      finding: { outcome: 'unknown', reason: 'timeout' } as const,
      latencyMs: options.stopwatch() - started,
    };
    runs.set(name, run);
    inOrder.set(name, run);
  }
  return inOrder;
}

/** Adds what the project’s memory says. */
export function recallChecks(
  checks: Checks,
  runs: CheckRuns,
  input: CheckInput,
  history: History,
): CheckRuns {
  const recalled = new Map(runs);
  for (const [name, { finding, latencyMs }] of runs) {
    const { recall } = checks[name];
    if (recall !== undefined) recalled.set(name, { finding: recall(finding, history, input), latencyMs });
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
