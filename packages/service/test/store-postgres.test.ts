import { afterAll, beforeAll } from 'vitest';
import { type PostgresServer, postgresServer } from './support/postgres.ts';
import { storeContract } from './support/store-contract.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await postgresServer();
});
afterAll(() => server?.remove());

storeContract('PostgreSQL', () => server.database());
