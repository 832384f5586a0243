import type { Store, SweepLimits } from './store.ts';

/** Few enough that concurrent requests hardly notice. */
const ROWS_PER_STEP = 500;
/** The share of time spent on deleting: little at first, more as long as there is a backlog. */
const FIRST_SHARE = 0.2;
const LARGEST_SHARE = 0.5;
const GROWTH_PER_STEP = 1.1;
/** When nothing is left, the next check comes soon if there was much to delete, and later and later if not. */
const SHORTEST_REST_MS = 2_000;
const LONGEST_REST_MS = 60_000;

export interface SweepPace {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onFault: (fault: unknown) => void;
  /** Called after each step with the number of deleted rows, 0 when nothing is left. */
  readonly onSwept: (rows: number) => void;
  /** Whether to delete by this time. */
  readonly mayDeleteAt: (now: number) => Promise<boolean>;
  /** Called between sweeps, for other regular clean-up. */
  readonly between: (now: number) => Promise<void>;
}

/** Deletes expired data for as long as the service runs. Returns a function that stops it. */
export function keepSweeping(
  store: Pick<Store, 'sweep'>,
  limits: Omit<SweepLimits, 'maxRows'>,
  { now, onFault, onSwept, mayDeleteAt, between }: SweepPace,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let share = FIRST_SHARE;
  let restMs = SHORTEST_REST_MS;

  const step = async (): Promise<number> => {
    const at = now();
    if (!(await mayDeleteAt(at))) return LONGEST_REST_MS;
    const since = performance.now();
    const removed = await store.sweep(at, { ...limits, maxRows: ROWS_PER_STEP });
    onSwept(removed);
    if (removed > 0) {
      const tookMs = performance.now() - since;
      share = Math.min(LARGEST_SHARE, share * GROWTH_PER_STEP);
      restMs = SHORTEST_REST_MS;
      // A store that is busy with requests is swept more slowly.
      return tookMs / share - tookMs;
    }
    await between(at);
    share = FIRST_SHARE;
    restMs = Math.min(LONGEST_REST_MS, restMs * 2);
    return restMs;
  };
  const next = async (): Promise<void> => {
    const pauseMs = await step().catch((fault: unknown) => {
      if (!stopped) onFault(fault);
      return LONGEST_REST_MS;
    });
    if (!stopped) timer = setTimeout(() => void next(), pauseMs).unref();
  };
  timer = setTimeout(() => void next(), SHORTEST_REST_MS).unref();

  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
