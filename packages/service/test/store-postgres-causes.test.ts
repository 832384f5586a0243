import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../src/store/store.ts';
import { freePort } from './support/free-port.ts';
import { openPostgresStore } from './support/open-postgres.ts';
import { type PostgresServer, type PostgresTestDatabase, sharedPostgresServer } from './support/postgres.ts';
import { startService, type TestService } from './support/service.ts';
import { admitted, makeCaller, submissionOf } from './support/store-fixtures.ts';

const role = `cause_${process.pid}`;

describe('the reason why PostgreSQL fails', () => {
  let server: PostgresServer;
  let database: PostgresTestDatabase;
  let owner: pg.Client;
  beforeAll(async () => {
    server = await sharedPostgresServer();
    database = await server.database();
    owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await (await database.open()).close();
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret-word'`);
    await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
  });
  afterAll(async () => {
    await owner?.query(`DROP OWNED BY ${role}`);
    await owner?.query(`DROP ROLE ${role}`);
    await owner?.end();
    await database?.remove();
    await server?.remove();
  });

  function urlWith(change: (url: URL) => void): string {
    const url = new URL(database.url);
    [url.username, url.password] = [role, 'secret-word'];
    change(url);
    return url.href;
  }

  async function failureOf(url: string): Promise<StoreUnavailable> {
    const failure = await openPostgresStore({ url }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(failure).toBeInstanceOf(StoreUnavailable);
    return failure as StoreUnavailable;
  }

  it.each([
    ['28P01', 'password', (url: URL) => Object.assign(url, { password: 'wrong' })],
    ['3D000', 'does not exist', (url: URL) => Object.assign(url, { pathname: '/nothing_here' })],
    ['ENOTFOUND', 'cannot be resolved', (url: URL) => Object.assign(url, { hostname: 'nowhere.invalid' })],
  ])('at the start is %s, in words that name no address and no password', async (code, words, change) => {
    const failure = await failureOf(urlWith((url) => change(url)));
    // A machine without a resolver says EAI_AGAIN.
    expect(code === 'ENOTFOUND' ? ['ENOTFOUND', 'EAI_AGAIN'] : [code]).toContain(failure.code);
    expect(failure.message).toContain(words);
    expect(failure.message).not.toMatch(/127\.0\.0\.1|secret-word|wrong/);
  });

  it('is a refused connection where nothing listens', async () => {
    const port = String(await freePort());
    const failure = await failureOf(urlWith((url) => Object.assign(url, { port })));
    expect(failure.code).toBe('ECONNREFUSED');
    expect(failure.message).toContain('refuses connections');
  });

  it('is a missing password, or a certificate file without a certificate', async () => {
    const asks = (kind: number, text: string) => {
      const head = Buffer.alloc(9);
      head.write('R');
      head.writeInt32BE(text.length + 8, 1);
      head.writeInt32BE(kind, 5);
      return Buffer.concat([head, Buffer.from(text)]);
    };
    const failureAfter = async (answers: readonly Buffer[], change: (url: URL) => void) => {
      const fake = createServer((socket) => {
        const left = [...answers];
        socket.on('error', () => {});
        socket.on('data', () => socket.write(left.shift() ?? ''));
      });
      await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve));
      const { port } = fake.address() as { readonly port: number };
      const url = urlWith((target) => change(Object.assign(target, { port: String(port) })));
      return failureOf(url).finally(() => fake.close());
    };
    const scram = [asks(10, 'SCRAM-SHA-256\0\0'), asks(11, 'r=nonce,s=c2FsdA==,i=4096')];
    const withoutPassword = await failureAfter(scram, (url) => Object.assign(url, { password: '' }));
    expect([withoutPassword.code, withoutPassword.lasting]).toEqual(['no-password', true]);

    const notPem = fileURLToPath(import.meta.url);
    const badFile = await failureAfter([Buffer.from('S')], (url) => url.searchParams.set('sslcert', notPem));
    expect(badFile.message).toContain('sslcert');
    expect(badFile.lasting).toBe(true);
  });

  it('is a role without LOGIN, a role’s connection limit, or a missing permission', async () => {
    await owner.query(`ALTER ROLE ${role} NOLOGIN`);
    expect((await failureOf(urlWith(() => {}))).code).toBe('28000');
    await owner.query(`ALTER ROLE ${role} LOGIN CONNECTION LIMIT 0`);
    expect((await failureOf(urlWith(() => {}))).code).toBe('53300');
    await owner.query(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
    await owner.query(`REVOKE UPDATE ON ALL TABLES IN SCHEMA public FROM ${role}`);
    const store = await openPostgresStore({ url: urlWith(() => {}) });
    const error = await store
      .settle(submissionOf(await makeCaller(store)))
      .catch((reason: unknown) => reason);
    await store.close();
    expect(error).toMatchObject({ name: 'StoreUnavailable', code: '42501' });
    await owner.query(`GRANT UPDATE ON ALL TABLES IN SCHEMA public TO ${role}`);
  });

  it('is the start-up parameter that a pooler does not know', async () => {
    // PgBouncer’s own answer. A trial in deploy/trials runs a real one.
    const pooler = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: statement_timeout'];
        const body = Buffer.from(`${fields.join('\0')}\0\0`);
        const head = Buffer.alloc(5);
        head.write('E');
        head.writeInt32BE(body.length + 4, 1);
        socket.end(Buffer.concat([head, body]));
      });
    });
    await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
    const { port } = pooler.address() as { readonly port: number };
    try {
      const failure = await failureOf(urlWith((url) => Object.assign(url, { port: String(port) })));
      expect([failure.code, failure.lasting]).toEqual(['08P01', true]);
      expect(failure.message).toContain('start-up parameter statement_timeout');
    } finally {
      pooler.close();
    }
  });

  it('sends a pooler no parameter that it could refuse', async () => {
    let sent = '';
    const pooler = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        sent += chunk.toString('latin1');
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
    const { port } = pooler.address() as { readonly port: number };
    await failureOf(urlWith((url) => Object.assign(url, { port: String(port) })));
    pooler.close();
    const names = sent
      .slice(8)
      .split('\0')
      .filter((_, index) => index % 2 === 0 && _ !== '');
    expect(names).toEqual(expect.arrayContaining(['user', 'database']));
    expect(
      names.filter((name) => !['user', 'database', 'application_name', 'client_encoding'].includes(name)),
    ).toEqual([]);
  });

  it('is a server that restarts during a migration, which is then run again where somebody has patience', async () => {
    const empty = await server.database();
    const other = new pg.Client({ connectionString: empty.url });
    await other.connect();
    // Another process is making the first table, so that the migration is under way for as long as the test needs.
    const holder = new pg.Client({ connectionString: empty.url });
    await holder.connect();
    await holder.query('BEGIN; CREATE TABLE schema_migration (number INTEGER)');
    const restart = async () => {
      const waiting = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while ((await other.query(waiting)).rowCount === 0)
        await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const impatient = failureOf(empty.url);
    await restart();
    expect((await impatient).code).toBe('57P01');
    const reasons: string[] = [];
    const onWait = ({ code }: StoreUnavailable) => {
      reasons.push(code);
      void holder.query('ROLLBACK');
    };
    const opening = openPostgresStore({ url: empty.url, patience: { limitMs: 60_000, onWait } });
    await restart();
    const store = await opening;
    expect(await store.projects.list()).toEqual([]);
    expect(reasons).toEqual(['57P01']);
    await store.close();
    await holder.end();
    await other.end();
    await empty.remove();
  });

  it('is waited for where somebody has patience, with the reason each time', async () => {
    const reasons: string[] = [];
    await owner.query(`ALTER ROLE ${role} CONNECTION LIMIT 0`);
    const onWait = ({ code }: StoreUnavailable) => {
      reasons.push(code);
      if (reasons.length === 2) void owner.query(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
    };
    const store = await openPostgresStore({
      url: urlWith(() => {}),
      patience: { limitMs: 60_000, onWait },
    });
    expect(admitted(await store.settle(submissionOf(await makeCaller(store)))).quota.used).toBe(1);
    await store.close();
    expect(new Set(reasons)).toEqual(new Set(['53300']));
  });
});

describe('a service whose database goes and comes back', () => {
  let server: PostgresServer;
  let database: PostgresTestDatabase;
  let service: TestService;
  let owner: pg.Client;
  const name = `outage_${process.pid}`;
  beforeAll(async () => {
    server = await sharedPostgresServer();
    database = await server.database();
    owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await (await database.open()).close();
    await owner.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret-word'`);
    await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`);
    const url = new URL(database.url);
    [url.username, url.password] = [name, 'secret-word'];
    service = await startService({ realDeadlines: true, env: { POSTERN_DATABASE_URL: url.href } });
  });
  afterAll(async () => {
    await service?.close();
    await owner?.query(`DROP OWNED BY ${name}`);
    await owner?.query(`DROP ROLE ${name}`);
    await owner?.end();
    await database?.remove();
    await server?.remove();
  });

  const lines = (words: string) =>
    service
      .output()
      .split('\n')
      .filter((line) => line.includes(words))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('logs why once, counts each failure, says it on /readyz, and logs once that it is back and after how long', async () => {
    const project = await service.makeProject();
    expect((await project.validate({ email: 'jane.doe@gmail.com' })).status).toBe(200);
    const unseen = await service.makeProject();
    await owner.query(`ALTER ROLE ${name} NOLOGIN`);
    const kill = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1';
    await owner.query(kill, [name]);
    // The service does not know the second project’s key yet, so its requests fail earlier.
    for (let number = 0; number < 20; number += 1)
      await (number % 2 === 0 ? project : unseen).validate({ email: 'jane.doe@gmail.com' });
    const { status, json } = await service.ask({ path: '/readyz' });
    expect(status).toBe(503);
    expect(json.parts.store).toMatchObject({ status: 'down', code: '28000' });
    expect(json.parts.store.message).toContain('does not let this user in');
    expect(JSON.stringify(json.parts.store)).not.toMatch(/127\.0\.0\.1|secret-word|SELECT/);
    await expect.poll(() => lines('the store failed')).toHaveLength(1);
    const metrics = String((await service.ask({ path: '/metrics' })).text);
    const counted = [...metrics.matchAll(/^postern_store_failures_total\{code="\w+"\} (\d+)$/gm)];
    expect(counted.reduce((sum, [, count]) => sum + Number(count), 0)).toBeGreaterThanOrEqual(20);

    // The jobs in the background add nothing. One that fails just before the end may log it: its store works again by then.
    expect(service.output()).not.toMatch(/could not|"stack"/);

    await owner.query(`ALTER ROLE ${name} LOGIN`);
    while (lines('the store works again').length === 0)
      await new Promise((resolve) => setTimeout(resolve, 100));
    const [back] = lines('the store works again');
    expect(back).toMatchObject({ lastedMs: expect.any(Number), codes: expect.arrayContaining(['28000']) });
    expect((await service.ask({ path: '/readyz' })).status).toBe(200);
    expect(lines('the store failed')).toHaveLength(1);
    expect(inspect(service.output())).not.toContain('secret-word');
    expect(service.output()).not.toContain('"stack"');
  });
});
