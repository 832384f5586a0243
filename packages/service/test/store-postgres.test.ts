import { afterAll, beforeAll } from 'vitest';
import { type PostgresServer, sharedPostgresServer } from './support/postgres.ts';
import { storeContract } from './support/store-contract.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await sharedPostgresServer();
});
afterAll(() => server?.remove());

storeContract('PostgreSQL', () => server.database());
