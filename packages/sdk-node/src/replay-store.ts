/** Remembers which verdicts were used. Several processes can share one by implementing this with a shared store. */
export interface ReplayStore {
  /** `true` for the first call with this ID, `false` for later ones until `expiresAtMs`. */
  claim(verdictId: string, expiresAtMs: number): boolean | Promise<boolean>;
}

/**
 * The store of one process. When it is full, the oldest entry is dropped. Within a verdict’s ten minutes, the hourly
 * limit of a client key allows far fewer than 50,000 verdicts.
 */
export function memoryReplayStore(maxEntries = 50_000, now: () => number = Date.now): ReplayStore {
  const used = new Map<string, number>();
  return {
    claim: (verdictId, expiresAtMs) => {
      const usedUntil = used.get(verdictId);
      if (usedUntil !== undefined && usedUntil > now()) return false;
      for (const [oldest, oldestExpiresAtMs] of used) {
        // Entries expire roughly in the order in which they were added, so the first live entry ends the loop.
        if (oldestExpiresAtMs > now() && used.size < maxEntries) break;
        used.delete(oldest);
      }
      used.set(verdictId, expiresAtMs);
      return true;
    },
  };
}
