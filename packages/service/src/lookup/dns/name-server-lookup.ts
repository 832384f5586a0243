import { DAY_MS, HOUR_MS } from '@postern/contract';
import { registrableDomain } from '../../model/registrable-domain.ts';
import type { DnsAnswer } from './dns-answer.ts';
import type { QuestionType } from './dns-message.ts';
import { createExpiringCache } from './expiring-cache.ts';

export interface NameServerLookupOptions {
  readonly ask: (name: string, type: QuestionType) => Promise<DnsAnswer>;
  /** Whether the resolver can be asked and trusted. */
  readonly online: () => boolean;
  readonly clock: () => number;
  readonly maxCached?: number;
}

/**
 * The name servers of the registered domain that a name is under: synchronous if they are cached, otherwise a promise
 * that never rejects. Empty if unknown.
 */
export type NameServerLookup = (domain: string) => readonly string[] | Promise<readonly string[]>;

/** At most so many at a time: requests do not wait for these lookups, and must not wait behind them either. */
const MAX_ASKING = 8;
const MIN_TTL_MS = HOUR_MS;
const MAX_TTL_MS = DAY_MS;
const FAILURE_TTL_MS = 5 * 60_000;

const NONE: readonly string[] = Object.freeze([]);

export function createNameServerLookup(options: NameServerLookupOptions): NameServerLookup {
  const cache = createExpiringCache<readonly string[]>(options.maxCached ?? 10_000);
  const asking = new Map<string, Promise<readonly string[]>>();

  const ask = async (zone: string): Promise<readonly string[]> => {
    const answer = await options.ask(zone, 'NS');
    const names = answer.result === 'records' ? answer.records.map(({ value }) => value) : NONE;
    const ttlMs =
      answer.result === 'records'
        ? Math.min(MAX_TTL_MS, Math.max(MIN_TTL_MS, answer.ttlSeconds * 1_000))
        : FAILURE_TTL_MS;
    cache.set(zone, Object.freeze(names), options.clock() + ttlMs);
    return names;
  };

  return (domain) => {
    const zone = registrableDomain(domain);
    if (zone === undefined || !options.online()) return NONE;
    const names = cache.get(zone, options.clock()) ?? asking.get(zone);
    if (names !== undefined) return names;
    if (asking.size >= MAX_ASKING) return NONE;
    const question = ask(zone).finally(() => asking.delete(zone));
    asking.set(zone, question);
    return question;
  };
}
