import type { Validation } from './validation.ts';

/** Half a verdict’s lifetime, so that a cached verdict still has five minutes to reach the backend. */
const KEPT_MS = 300_000;
const MAX_ENTRIES = 32;

export interface ValidationCache {
  get(address: string): Validation | null;
  set(address: string, validation: Validation): void;
  delete(address: string): void;
}

export function createValidationCache(now: () => number = Date.now): ValidationCache {
  const entries = new Map<string, { validation: Validation; untilMs: number }>();
  return {
    get: (address) => {
      const entry = entries.get(address);
      return entry !== undefined && entry.untilMs > now() ? entry.validation : null;
    },
    set: (address, validation) => {
      entries.delete(address);
      entries.set(address, { validation, untilMs: now() + KEPT_MS });
      const [oldest] = entries.keys();
      if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
    },
    delete: (address) => {
      entries.delete(address);
    },
  };
}
