import type { PeopleStore } from '../store/people-store.ts';
import { Refused } from './route.ts';

/** Holds back whoever guesses, by where the guesses come from and by whose account they are about. */
export interface Attempts {
  /** Throws Refused with 429 when the address has tried too often. */
  fromAddress(address: string): void;
  /** Throws Refused with 429 when the account was tried too often by that kind of caller: `account:…`, `device:…`. */
  atAccount(counter: string): Promise<void>;
  /** It was no guess: the attempt is taken back. An office signs in from one address. */
  forgiveAddress(address: string): void;
  /** The password was right: what was counted against the account is forgotten. */
  succeeded(counter: string): Promise<void>;
}

const WINDOW_MS = 15 * 60_000;
export const TRIES_PER_ADDRESS = 40;
export const TRIES_PER_ACCOUNT = 10;
const MAX_ADDRESSES = 10_000;

/**
 * Accounts are counted in the store, so that the limit holds across processes. Addresses are counted in memory,
 * which an attacker with many of them can fill but not grow; the count keeps most guesses away from the store.
 */
export function createAttempts(
  people: Pick<PeopleStore, 'countAttempt' | 'forgetAttempts'>,
  now: () => number,
): Attempts {
  const addresses = new Map<string, { count: number; resetsAt: number }>();
  return {
    fromAddress(address) {
      const time = now();
      const known = addresses.get(address);
      const seen =
        known !== undefined && known.resetsAt > time ? known : { count: 0, resetsAt: time + WINDOW_MS };
      seen.count += 1;
      addresses.delete(address);
      if (addresses.size >= MAX_ADDRESSES) {
        // The one not seen for longest goes.
        const [oldest] = addresses.keys();
        if (oldest !== undefined) addresses.delete(oldest);
      }
      addresses.set(address, seen);
      if (seen.count > TRIES_PER_ADDRESS) throw tooMany(seen.resetsAt - time);
    },
    forgiveAddress(address) {
      const known = addresses.get(address);
      if (known !== undefined) known.count = Math.max(0, known.count - 1);
    },
    async atAccount(counter) {
      const time = now();
      const { count, resetsAt } = await people.countAttempt(counter, WINDOW_MS, time);
      if (count > TRIES_PER_ACCOUNT) throw tooMany(resetsAt - time);
    },
    succeeded: people.forgetAttempts,
  };
}

function tooMany(waitMs: number): Refused {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  const minutes = Math.ceil(retryAfter / 60);
  return new Refused(429, `Too many attempts. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`, {
    retryAfter,
  });
}
