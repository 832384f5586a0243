import { BoundedMap } from '../../model/bounded-map.ts';

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

/** A bounded map whose entries also expire. */
export function createExpiringCache<Value>(maxEntries: number): ExpiringCache<Value> {
  const entries = new BoundedMap<string, Entry<Value>>(maxEntries, ({ weight }) => weight);
  return {
    get: (key, now) => {
      const entry = entries.get(key);
      return entry !== undefined && now < entry.expiresAt ? entry.value : undefined;
    },
    set: (key, value, expiresAt, weight = 1) => entries.set(key, { value, expiresAt, weight }),
    clear: () => entries.clear(),
    size: () => entries.size,
  };
}
