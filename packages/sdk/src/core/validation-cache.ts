import { VERDICT_LIFETIME_SECONDS } from '@postern/contract';
import type { Validation } from './validation.ts';

/** Half a verdict’s lifetime, so that a cached verdict still has the other half to reach the backend. */
const LIFETIME_MS = (VERDICT_LIFETIME_SECONDS * 1_000) / 2;
const MAX_ENTRIES = 32;

export interface ValidationCache {
  get(address: string): Validation | null;
  set(address: string, validation: Validation): void;
  delete(address: string): void;
}

export function createValidationCache(now: () => number = Date.now): ValidationCache {
  const entries = new Map<string, { validation: Validation; expiresAtMs: number }>();
  return {
    get: (address) => {
      const entry = entries.get(address);
      return entry !== undefined && entry.expiresAtMs > now() ? entry.validation : null;
    },
    set: (address, validation) => {
      // Deleted first, so that it moves to the end: a map keeps the order in which its keys were added.
      entries.delete(address);
      entries.set(address, { validation, expiresAtMs: now() + LIFETIME_MS });
      const [oldest] = entries.keys();
      if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
    },
    delete: (address) => {
      entries.delete(address);
    },
  };
}
