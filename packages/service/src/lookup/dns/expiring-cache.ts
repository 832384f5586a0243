interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  readonly expiresAt: number;
}

export interface ExpiringCache<Value> {
  readonly get: (key: string, now: number) => Value | undefined;
  /** `weight` is the number of entries that a large value counts for. */
  readonly set: (key: string, value: Value, expiresAt: number, weight?: number) => void;
  readonly clear: () => void;
  readonly size: () => number;
}

/**
 * A bounded map that drops the least recently used entries. It keeps two generations instead of an ordered list, so
 * that a hit costs one look-up and no write. Entries that were used since the last rotation survive the next one.
 */
export function createExpiringCache<Value>(maxEntries: number): ExpiringCache<Value> {
  const perGeneration = Math.max(1, Math.floor(maxEntries / 2));
  let young = new Map<string, Entry<Value>>();
  let old = new Map<string, Entry<Value>>();
  let youngWeight = 0;

  const put = (key: string, entry: Entry<Value>) => {
    youngWeight -= young.get(key)?.weight ?? 0;
    if (youngWeight >= perGeneration && !young.has(key)) {
      old = young;
      young = new Map();
      youngWeight = 0;
    }
    young.set(key, entry);
    youngWeight += entry.weight;
  };

  return {
    get: (key, now) => {
      const entry = young.get(key);
      if (entry !== undefined) return now < entry.expiresAt ? entry.value : undefined;
      const older = old.get(key);
      if (older === undefined || now >= older.expiresAt) return undefined;
      old.delete(key);
      put(key, older);
      return older.value;
    },
    set: (key, value, expiresAt, weight = 1) => {
      old.delete(key);
      put(key, { value, expiresAt, weight });
    },
    clear: () => {
      young = new Map();
      old = new Map();
      youngWeight = 0;
    },
    size: () => young.size + old.size,
  };
}
