import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, visitor } from './support/dashboard.ts';
import { type PostgresServer, type PostgresTestDatabase, sharedPostgresServer } from './support/postgres.ts';
import { startService, type TestService } from './support/service.ts';

/** The lines of the output as JSON. Fails on any other line. */
function documents(output: string): Record<string, unknown>[] {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a log of JSON', () => {
  it('has nothing but JSON, the keys of the demo and the set-up link included', async () => {
    const service = await startService({ env: { POSTERN_LOG_FORMAT: 'json', POSTERN_DEMO: 'on' } });
    await service.stop();
    const lines = documents(service.output());
    await service.close();
    expect(lines).toContainEqual(
      expect.objectContaining({
        project: 'demo',
        serverKey: expect.stringMatching(/^pst_server_live_/),
        tryIt: expect.stringContaining('curl'),
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({
        link: expect.stringMatching(/\/dashboard\/setup#token=pst_setup_[\w-]{43}$/),
      }),
    );
  });

  it('says in JSON why the service cannot start', async () => {
    const url = 'postgres://me:sesame@127.0.0.1:9/postern';
    const failed = await startService({
      env: { POSTERN_LOG_FORMAT: 'json', POSTERN_DATABASE_URL: url },
    }).then(
      () => '',
      (error: Error) => error.message,
    );
    const lines = documents(failed.slice(failed.indexOf('{')));
    expect(lines).toEqual([
      expect.objectContaining({ level: 'fatal', code: 'ECONNREFUSED', msg: 'could not start' }),
    ]);
    expect(failed).not.toMatch(/sesame|127\.0\.0\.1:9/);
  });

  it('names wrong settings in JSON', async () => {
    const env = { POSTERN_LOG_FORMAT: 'json', POSTERN_WORKERS: 'many', POSTERN_DEMO: 'perhaps' };
    const failed = await startService({ env }).catch((error: Error) => error.message);
    const [ended, ...printed] = String(failed).split('\n');
    expect(ended).toContain('ended with 2');
    expect(documents(printed.join('\n'))).toEqual([
      expect.objectContaining({
        level: 'fatal',
        faults: [expect.stringContaining('POSTERN_WORKERS'), expect.stringContaining('POSTERN_DEMO')],
      }),
    ]);
  });

  it('has warnings of Node.js and the reason of a crash as JSON', async () => {
    const trigger = `process.on('SIGWINCH', () => { process.emitWarning('odd'); setImmediate(() => { throw new Error('crash'); }); })`;
    const env = {
      POSTERN_LOG_FORMAT: 'json',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(trigger)}`,
    };
    const service = await startService({ env });
    expect(await service.stop('SIGWINCH')).toBe(1);
    await service.close();
    const lines = documents(service.output());
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', name: 'Warning', reason: 'odd' }));
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'fatal', err: expect.objectContaining({ message: 'crash' }) }),
    );
  });
});

describe('several replicas on one empty database', () => {
  let server: PostgresServer;
  let database: PostgresTestDatabase;
  const started: TestService[] = [];
  beforeAll(async () => {
    server = await sharedPostgresServer();
    database = await server.database();
  });
  afterAll(async () => {
    for (const service of started) await service.close();
    await database?.remove();
    await server?.remove();
  });

  it('print one and the same set-up link, which works, and print it again after a restart', async () => {
    const start = async () => {
      const env = { POSTERN_LOG_FORMAT: 'json', POSTERN_DATABASE_URL: database.url };
      const service = await startService({ env });
      started.push(service);
      return service;
    };
    const replicas = await Promise.all([start(), start(), start()]);
    replicas.push(await start());
    const tokenOf = ({ output }: TestService) => /#token=(pst_setup_[\w-]+)/.exec(output())?.[1];
    // The link is printed after the line that says that the service is ready.
    for (const replica of replicas) await expect.poll(() => tokenOf(replica)).toBeDefined();
    const tokens = replicas.map(tokenOf);
    expect(new Set(tokens).size).toBe(1);
    const [first] = replicas;
    if (first === undefined) throw new Error('No replica started');
    const person = { name: 'Ann', email: 'ann@example.com', password: PASSWORD };
    const account = await visitor(first).post('/setup', { token: tokens[0], ...person });
    expect(account.status).toBe(201);
    const after = await start();
    expect(after.output()).not.toContain('#token=');
  });
});
