import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './support/free-port.ts';
import { ask } from './support/http-client.ts';
import { type PostgresServer, sharedPostgresServer } from './support/postgres.ts';
import type { TestService } from './support/service.ts';
import { counted, start } from './support/versions.ts';

interface Load {
  /** Where requests go from now on. */
  to(...services: readonly TestService[]): void;
  /** Waits until a number of further requests was answered 200. */
  answered(count: number): Promise<void>;
  stop(): Promise<number>;
}

function startLoad(first: TestService, project: { readonly id: string; readonly serverKey: string }): Load {
  let services: readonly TestService[] = [first];
  let sent = 0;
  let acknowledged = 0;
  let ending = false;
  const sendOne = async () => {
    sent += 1;
    const service = services[sent % services.length];
    const answer = await service?.ask({
      method: 'POST',
      path: '/validate',
      headers: { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id },
      body: JSON.stringify({ email: `person.${sent}@gmail.com`, fingerprintHash: `device-${sent % 50}` }),
    });
    // A busy machine or the migration’s lock may cost a request its answer, but never its count.
    expect([200, 503]).toContain(answer?.status);
    if (answer?.status === 200) acknowledged += 1;
  };
  const clients = Array.from({ length: 8 }, async () => {
    while (!ending) await sendOne();
  });
  return {
    to(...next) {
      services = next;
    },
    async answered(count) {
      const enough = acknowledged + count;
      while (acknowledged < enough)
        await Promise.race([...clients, new Promise((resolve) => setTimeout(resolve, 20))]);
    },
    async stop() {
      ending = true;
      await Promise.all(clients);
      return acknowledged;
    },
  };
}

describe('an upgrade on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await sharedPostgresServer();
  });
  afterAll(() => server?.remove());

  it('runs both versions side by side, forwards and back, and counts every request once', async () => {
    const database = await server.database();
    const place = { env: { POSTERN_DATABASE_URL: database.url } };
    const old = await start(place, 0);
    const project = await old.makeProject({ rateServer: 1_000_000, quotaLimit: 1_000_000 });
    const load = startLoad(old, project);
    await load.answered(20);
    // The new version migrates while the old one answers.
    const next = await start(place, 1);
    load.to(old, next);
    await load.answered(40);
    load.to(next);
    await load.answered(20);
    await old.close();
    // Back: the old version starts on the migrated database.
    const again = await start(place, 0);
    load.to(next, again);
    await load.answered(40);
    load.to(again);
    await load.answered(20);
    await next.close();
    const acknowledged = await load.stop();
    await expect
      .poll(() => counted(again, project.id), { interval: 500 })
      .toEqual({ used: acknowledged, logged: acknowledged });

    // The version after the next one ends the window of this one, not of the next.
    await (await start(place, 2)).close();
    await expect(start(place, 0)).rejects.toThrow(
      /newer version of Postern \(schema \d+\) that this version cannot run/,
    );
    await (await start(place, 1)).close();
    await again.close();
    await database.remove();
  });

  it('is alive while its migration waits for who reads a table, and requests to the old version go on', async () => {
    const database = await server.database();
    const env = { POSTERN_DATABASE_URL: database.url };
    const old = await start({ env }, 0);
    const project = await old.makeProject();
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('BEGIN; LOCK TABLE validation_log IN ACCESS SHARE MODE');

    const port = await freePort();
    const starting = start({ env: { ...env, POSTERN_PORT: String(port) } }, 1);
    const next = `http://127.0.0.1:${port}`;
    const alive = () => ask(next, { path: '/healthz' }).catch(() => undefined);
    await expect.poll(alive).toMatchObject({ status: 200, json: { status: 'alive' } });
    const early = await ask(next, { method: 'POST', path: '/validate' });
    expect([early.status, early.headers['retry-after']]).toEqual([503, '5']);
    // It holds the lock’s queue for a second at a time.
    const answer = async () => (await project.validate({ email: 'jane.doe@gmail.com' })).status;
    await expect.poll(answer).toBe(200);
    await reader.query('COMMIT');
    const started = await starting;
    expect(started.output()).toContain('changing the tables of the database');
    await Promise.all([old.close(), started.close(), reader.end()]);
    await database.remove();
  });
});
