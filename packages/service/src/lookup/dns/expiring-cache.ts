interface Entry<Value> {
  readonly value: Value;
  readonly expiresAt: number;
}

export interface ExpiringCache<Value> {
  readonly get: (key: string, now: number) => Value | undefined;
  readonly set: (key: string, value: Value, expiresAt: number) => void;
  readonly clear: () => void;
  readonly size: () => number;
}

/**
 * A bounded map that forgets the least used. Two generations stand in for a list in order of use, so that a hit costs
 * one look-up and writes nothing: what was used since the last turn survives the next.
 */
export function createExpiringCache<Value>(maxEntries: number): ExpiringCache<Value> {
  const perGeneration = Math.max(1, Math.floor(maxEntries / 2));
  let young = new Map<string, Entry<Value>>();
  let old = new Map<string, Entry<Value>>();

  const put = (key: string, entry: Entry<Value>) => {
    if (young.size >= perGeneration && !young.has(key)) {
      old = young;
      young = new Map();
    }
    young.set(key, entry);
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
    set: (key, value, expiresAt) => {
      old.delete(key);
      put(key, { value, expiresAt });
    },
    clear: () => {
      young = new Map();
      old = new Map();
    },
    size: () => young.size + old.size,
  };
}
