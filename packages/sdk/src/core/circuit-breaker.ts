/** Stops asking a service that does not answer, so that not every sign-up waits for it. */
export interface CircuitBreaker {
  /** Seconds until the service is asked again; `null` if it may be asked now. */
  pauseSeconds(): number | null;
  succeeded(): void;
  failed(): void;
}

/** One failure can be a lost packet. */
const FAILURES = 3;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Opens after three outages in a row. After a pause one call tries again; until it ends, the others do not wait for it.
 * Each failed try doubles the pause.
 */
export function createCircuitBreaker(now: () => number): CircuitBreaker {
  let failures = 0;
  let closedAgainMs = 0;
  return {
    pauseSeconds: () => {
      if (failures < FAILURES) return null;
      const leftMs = closedAgainMs - now();
      if (leftMs > 0) return Math.ceil(leftMs / 1000);
      // This call tries. The others pause until it has failed, or for as long as a call can take.
      closedAgainMs = now() + FIRST_PAUSE_MS;
      return null;
    },
    succeeded: () => {
      failures = 0;
    },
    failed: () => {
      failures += 1;
      const doubled = FIRST_PAUSE_MS * 2 ** Math.max(0, failures - FAILURES);
      closedAgainMs = now() + Math.min(doubled, LONGEST_PAUSE_MS);
    },
  };
}
