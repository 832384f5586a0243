import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PostgresServer, postgresServer } from './postgres.ts';

let listener: Server | undefined;
let server: Promise<PostgresServer> | undefined;

/**
 * Runs once before all test files. Those that need PostgreSQL ask here for the one server that they share; it is
 * started for the first that asks, so that a run without such files does not wait for it.
 */
export async function setup(): Promise<void> {
  listener = createServer((_request, response) => {
    server ??= postgresServer();
    server.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  listener.listen(0, '127.0.0.1');
  await new Promise((resolve) => listener?.once('listening', resolve));
  const { port } = listener.address() as AddressInfo;
  process.env.POSTERN_TEST_SHARED_POSTGRES = `http://127.0.0.1:${port}`;
}

export async function teardown(): Promise<void> {
  listener?.close();
  await (await server?.catch(() => undefined))?.remove();
}
