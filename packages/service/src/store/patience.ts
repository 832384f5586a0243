import { StoreUnavailable } from './store.ts';

/** How long a command waits for a store that is busy or restarting. A request has no such time. */
export interface Patience {
  readonly limitMs: number;
  /** Called with the reason before each further attempt. */
  readonly onWait: (reason: StoreUnavailable) => void;
}

const PAUSE_MS = 500;

/** Tries again while the store is unavailable, until the time is over or the reason is one that stays. */
export async function patiently<T>(patience: Patience | undefined, work: () => Promise<T>): Promise<T> {
  const since = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || error.lasting || patience === undefined) throw error;
      if (performance.now() - since + PAUSE_MS > patience.limitMs) throw error;
      patience.onWait(error);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
