import { expect, test } from 'vitest';
import { sharedPostgresServer } from '../../packages/service/test/support/postgres.ts';

// The global setup starts PostgreSQL in the runner’s own process. That once changed the runner’s exit status.
test('fails while PostgreSQL runs', { timeout: 120_000 }, async () => {
  await sharedPostgresServer();
  expect(1).toBe(2);
});
