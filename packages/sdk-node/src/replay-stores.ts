import type { ReplayStore } from './replay-store.ts';

/** What is needed of a client of the package `redis`. */
export interface RedisLike {
  set(key: string, value: string, options: { NX: true; PXAT: number }): Promise<unknown>;
}

/** For several processes that share a Redis: the package `redis`, version 4 or later. */
export function redisReplayStore(redis: RedisLike, prefix = 'postern:'): ReplayStore {
  return {
    claim: async (verdictId, expiresAtMs) =>
      (await redis.set(`${prefix}${verdictId}`, '1', { NX: true, PXAT: expiresAtMs })) !== null,
  };
}

/** Runs a statement and says how many rows it changed. */
export type RunSql = (sql: string, values: readonly [string, number]) => Promise<number>;

/**
 * For several processes that share a SQL database: PostgreSQL, SQLite or Cloudflare’s D1. It needs the table `CREATE TABLE
 * postern_used_verdict (id TEXT PRIMARY KEY, expires_at BIGINT NOT NULL)`; delete rows whose time has passed when you like.
 * `placeholders` are those of your driver.
 */
export function sqlReplayStore(
  run: RunSql,
  placeholders: readonly [string, string] = ['?', '?'],
): ReplayStore {
  const sql = `INSERT INTO postern_used_verdict (id, expires_at) VALUES (${placeholders.join(', ')}) ON CONFLICT (id) DO NOTHING`;
  return { claim: async (verdictId, expiresAtMs) => (await run(sql, [verdictId, expiresAtMs])) === 1 };
}

/** What is needed of a namespace of Cloudflare’s KV. */
export interface KvLike {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { expirationTtl: number }): Promise<unknown>;
}

/** The shortest time that KV accepts. */
const MIN_TTL_SECONDS = 60;

/**
 * For Cloudflare Workers with KV. KV takes up to a minute to reach other places and cannot claim atomically, so a
 * quick attacker can use one verdict twice. `sqlReplayStore` with D1 has no such gap.
 */
export function kvReplayStore(kv: KvLike, now: () => number = Date.now, prefix = 'postern:'): ReplayStore {
  return {
    claim: async (verdictId, expiresAtMs) => {
      const key = `${prefix}${verdictId}`;
      if ((await kv.get(key)) !== null) return false;
      const seconds = Math.ceil((expiresAtMs - now()) / 1000);
      await kv.put(key, '1', { expirationTtl: Math.max(MIN_TTL_SECONDS, seconds) });
      return true;
    },
  };
}
