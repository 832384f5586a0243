import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, sharedPostgresServer } from '../../service/test/support/postgres.ts';
import { kvReplayStore, type ReplayStore, redisReplayStore, sqlReplayStore } from '../src/index.ts';

let server: PostgresServer;
let pool: pg.Pool;
beforeAll(async () => {
  server = await sharedPostgresServer();
  pool = new pg.Pool({ connectionString: (await server.database()).url });
  await pool.query('CREATE TABLE postern_used_verdict (id TEXT PRIMARY KEY, expires_at BIGINT NOT NULL)');
});
afterAll(async () => {
  await pool.end();
  await server.remove();
});

function sql(): ReplayStore {
  return sqlReplayStore(
    async (text, values) => (await pool.query(text, [...values])).rowCount ?? 0,
    ['$1', '$2'],
  );
}

/** Redis’ answers to SET with NX: OK, or nil if the key is there. */
function redis(): ReplayStore {
  const keys = new Map<string, number>();
  return redisReplayStore({
    set: async (key, _value, { PXAT }) => {
      if ((keys.get(key) ?? 0) > Date.now()) return null;
      keys.set(key, PXAT);
      return 'OK';
    },
  });
}

function kv(): ReplayStore {
  const keys = new Map<string, string>();
  return kvReplayStore({
    get: async (key) => keys.get(key) ?? null,
    put: async (key, value, { expirationTtl }) => {
      if (expirationTtl < 60) throw new Error('KV PUT failed: 400 Invalid expiration_ttl');
      keys.set(key, value);
    },
  });
}

it.each([
  ['SQL', sql],
  ['Redis', redis],
  ['KV', kv],
])('%s lets each verdict be used once', async (_, make) => {
  const store = make();
  const soon = Date.now() + 3_600_000;
  const claims = await Promise.all(['a', 'a'].map((id) => store.claim(id, soon)));
  // KV cannot decide between two at the same moment.
  if (make !== kv) expect(claims.filter(Boolean)).toHaveLength(1);
  expect(await store.claim('a', soon)).toBe(false);
  expect(await store.claim('b', soon)).toBe(true);
});
