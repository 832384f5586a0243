import { BoundedMap } from '../model/bounded-map.ts';
import { Refused } from '../operations/operation.ts';
import type { CounterStore } from '../store/tables/counter-table.ts';

/** Throttles password guesses by their source address and by the account. */
export interface Attempts {
  /**
   * Throws Refused with 429 if the address, or the connection that claims it, has tried too often. If a proxy passes on
   * forged headers, an attacker has many addresses but only one connection.
   */
  fromAddress(address: string, connection?: string): void;
  /** Throws Refused with 429 if the account was tried too often by that kind of caller: `account:…`, `device:…`. */
  atAccount(counter: string): Promise<void>;
  /** The attempt was not a guess, so it is not counted. A whole office can share one address. */
  forgiveAddress(address: string, connection?: string): void;
  /** Throws Refused with 429 if the address, or its connection, has failed too often with the company sign-in’s answers. */
  fromProvider(address: string, connection?: string): void;
  /** The provider’s answer was right, so it is not counted: an office, or the provider itself, has one address. */
  forgiveProvider(address: string, connection?: string): void;
  /** The password was correct, so the account’s counter is reset. */
  succeeded(counter: string): Promise<void>;
}

const WINDOW_MS = 15 * 60_000;
export const TRIES_PER_ADDRESS = 40;
/** Many people can share one edge. */
export const TRIES_PER_CONNECTION = 400;
export const TRIES_PER_ACCOUNT = 10;
/** Failed answers of the company’s provider. They are no guesses at a password. */
const PROVIDER_TRIES_PER_ADDRESS = 60;
const PROVIDER_TRIES_PER_CONNECTION = 600;
/** A bounded map always keeps the most recent half of its entries, so the last 10,000 addresses are remembered. */
const MAX_ADDRESSES = 20_000;

/**
 * Accounts are counted in the store, so that the limit holds across processes. Addresses are counted in memory, in a
 * map with a fixed limit that an attacker with many addresses cannot exceed. This keeps most guesses away from the
 * store.
 */
export function createAttempts(
  counters: Pick<CounterStore, 'count' | 'forget'>,
  now: () => number,
): Attempts {
  const addresses = new BoundedMap<string, { count: number; resetsAt: number }>(MAX_ADDRESSES);
  const connections = new BoundedMap<string, { count: number; resetsAt: number }>(MAX_ADDRESSES);
  const providers = new BoundedMap<string, { count: number; resetsAt: number }>(MAX_ADDRESSES);
  const count = (seen: typeof addresses, key: string, most: number) => {
    const time = now();
    const current = seen.get(key);
    const entry =
      current !== undefined && current.resetsAt > time ? current : { count: 0, resetsAt: time + WINDOW_MS };
    entry.count += 1;
    seen.set(key, entry);
    if (entry.count > most) throw tooMany(entry.resetsAt - time);
  };
  const forgive = (seen: typeof addresses, key: string) => {
    const current = seen.peek(key);
    if (current !== undefined) current.count = Math.max(0, current.count - 1);
  };
  return {
    fromAddress(address, connection = address) {
      if (connection !== address) count(connections, connection, TRIES_PER_CONNECTION);
      count(addresses, address, TRIES_PER_ADDRESS);
    },
    forgiveAddress(address, connection = address) {
      if (connection !== address) forgive(connections, connection);
      forgive(addresses, address);
    },
    fromProvider(address, connection = address) {
      if (connection !== address) count(providers, `via ${connection}`, PROVIDER_TRIES_PER_CONNECTION);
      count(providers, address, PROVIDER_TRIES_PER_ADDRESS);
    },
    forgiveProvider(address, connection = address) {
      if (connection !== address) forgive(providers, `via ${connection}`);
      forgive(providers, address);
    },
    async atAccount(counter) {
      const time = now();
      const { count, resetsAt } = await counters.count(counter, WINDOW_MS, time);
      if (count > TRIES_PER_ACCOUNT) throw tooMany(resetsAt - time);
    },
    succeeded: counters.forget,
  };
}

function tooMany(waitMs: number): Refused {
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  const minutes = Math.ceil(retryAfter / 60);
  return new Refused(429, `Too many attempts. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`, {
    retryAfter,
  });
}
