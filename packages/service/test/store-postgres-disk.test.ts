import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  initialisePostgres,
  type PostgresProcess,
  postgresUser,
  startPostgres,
} from './support/postgres-process.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';
import { type SmallDisk, smallDisk } from './support/small-disk.ts';

const EMAIL = 'jane.doe@gmail.com';
const MONTH = new Date().toISOString().slice(0, 7);
const ours = process.env.POSTERN_TEST_DATABASE_URL === undefined;
/** Without the right to mount, there is no disk that a test may fill. */
const disk = ours ? await smallDisk(128) : undefined;

describe.runIf(disk !== undefined)('PostgreSQL whose disk is full', () => {
  let other: SmallDisk | undefined;
  let server: PostgresProcess;
  let service: TestService | undefined;
  const folder = join(disk?.folder ?? '', 'server');
  beforeAll(async () => {
    other = await smallDisk(32);
    // Small segments, so that the write-ahead log soon needs another one.
    await initialisePostgres(folder, ['--wal-segsize=1']);
    server = await startPostgres(folder, { max_wal_size: '4MB', min_wal_size: '2MB' });
  });
  afterEach(async () => {
    await service?.close();
    service = undefined;
  });
  afterAll(async () => {
    await server?.kill();
    await disk?.remove();
    await other?.remove();
  });

  async function serve(database: string): Promise<TestProject> {
    const url = new URL(server.url);
    url.pathname = `/${database}`;
    service = await startService({ realDeadlines: true, env: { POSTERN_DATABASE_URL: url.href } });
    return service.makeProject({ rateServer: 1_000_000, quotaLimit: 1_000_000 });
  }

  /** Requests that were refused after they had been counted are taken back a little later. */
  async function expectCounted({ id }: TestProject, count: number): Promise<void> {
    await service?.admin(({ store }) =>
      expect.poll(() => store.projects.usage(id, MONTH), { interval: 20 }).toBe(count),
    );
  }

  it('for its tables only: answers 503 in time, keeps what it answered, and recovers by itself', async () => {
    const place = join(other?.folder ?? '', 'tables');
    await mkdir(place);
    const { uid = -1, gid = -1 } = postgresUser();
    await chown(place, uid, gid);
    await run(server, `CREATE TABLESPACE small LOCATION '${place}'`);
    await run(server, 'CREATE DATABASE on_small_disk TABLESPACE small');
    const project = await serve('on_small_disk');
    const load = loadOn(project);

    await load.untilAllPass(20);
    await other?.fill();
    // First the free space on existing pages is used up.
    while (!(await load.send(40)).has(503));
    await load.send(40);
    expect((await service?.ask({ path: '/readyz' }))?.status).toBe(503);

    await other?.makeRoom();
    await load.untilAllPass(40);
    // The line of the failure has the code, or on a slow machine the one of the recovery, after a timeout.
    await expect.poll(() => service?.output()).toContain('"53100"');
    await expectCounted(project, load.answered());
  });

  it('for its write-ahead log too: answers 503 in time, and has everything it answered after a restart', async () => {
    await run(server, 'CREATE DATABASE on_the_same_disk');
    const project = await serve('on_the_same_disk');
    const load = loadOn(project);

    await load.untilAllPass(20);
    await disk?.fill();
    while (!(await load.send(40)).has(503));
    while (!/PANIC: .*No space left on device/.test(server.log())) await useUpLog(server);
    await load.send(40);
    await disk?.makeRoom();
    // A server that cannot write its log ends and has to be restarted.
    if (await endsByItself(server)) server = await startPostgres(folder, {}, server.port);
    await load.untilAllPass(40);
    await expectCounted(project, load.answered());
  });
});

/** Requests with new devices, each of which needs space. */
function loadOn(project: TestProject) {
  let number = 0;
  let answered = 0;
  /** Sends that many at once and returns their results. Each must come in time. */
  const send = async (count: number): Promise<Set<number>> => {
    const statuses = Array.from({ length: count }, async () => {
      number += 1;
      const { status, headers } = await project.validate({
        email: EMAIL,
        fingerprintHash: `device-${number}`,
      });
      if (status === 200) answered += 1;
      else expect([status, headers['retry-after']]).toEqual([503, expect.any(String)]);
      return status;
    });
    return new Set(await Promise.all(statuses));
  };
  /** A busy machine may need longer than a request waits, also without any fault. */
  const untilAllPass = async (count: number): Promise<void> => {
    while ((await send(count)).has(503));
  };
  return { answered: () => answered, send, untilAllPass };
}

/** Writes a little and switches to the next segment of the write-ahead log. */
async function useUpLog(server: PostgresProcess): Promise<void> {
  const sql = `SELECT pg_logical_emit_message(true, 'test', 'a little'); SELECT pg_switch_wal()`;
  await run(server, sql).catch(() => {});
}

/** Whether the server stops after a panic, or recovers and accepts connections. */
async function endsByItself(server: PostgresProcess): Promise<boolean> {
  while (server.isRunning()) {
    const lets = await run(server, 'SELECT 1').then(
      () => true,
      () => false,
    );
    if (lets) return false;
    await pause();
  }
  return true;
}

async function run({ url }: PostgresProcess, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
