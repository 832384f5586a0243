import type { Store } from './store.ts';

/** The share of time spent on steps. A store that is busy with requests takes longer for a step, and rests longer. */
const SHARE = 0.2;
const SHORTEST_PAUSE_MS = 10;
const BUSY_PAUSE_MS = 100;
/** After this long it pauses, so that the sweep can run. The next round continues. */
const ROUND_MS = 30_000;

/** Gives unused space back to the disk until little is left, the round is over, or `isStopped`. */
export async function compactInSteps(store: Pick<Store, 'compact'>, isStopped: () => boolean): Promise<void> {
  const end = performance.now() + ROUND_MS;
  while (!isStopped() && performance.now() < end) {
    const since = performance.now();
    const step = await store.compact();
    if (step === 'done') return;
    const tookMs = performance.now() - since;
    const restMs = Math.max(SHORTEST_PAUSE_MS, tookMs / SHARE - tookMs);
    await pause(step === 'busy' ? Math.max(BUSY_PAUSE_MS, restMs) : restMs);
  }
}

/** Does not keep the process running. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
