/** Remembers which verdicts were used. Several processes share one by putting their own store behind it. */
export interface ReplayStore {
  /** `true` the first time, `false` for every later one before `expiresAtMs`. */
  claim(verdictId: string, expiresAtMs: number): boolean | Promise<boolean>;
}

/**
 * The store of one process. When it is full the oldest entry goes: at the hourly limit of a client key
 * 50,000 verdicts are more than anybody gets in their ten minutes of life.
 */
export function memoryReplayStore(maxEntries = 50_000, now: () => number = Date.now): ReplayStore {
  const used = new Map<string, number>();
  return {
    claim: (verdictId, expiresAtMs) => {
      const known = used.get(verdictId);
      if (known !== undefined && known > now()) return false;
      for (const [oldest, oldestExpiresAtMs] of used) {
        // Insertion order is about the order of expiry, so the first live entry ends the sweep.
        if (oldestExpiresAtMs > now() && used.size < maxEntries) break;
        used.delete(oldest);
      }
      used.set(verdictId, expiresAtMs);
      return true;
    },
  };
}
