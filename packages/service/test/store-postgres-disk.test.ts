import { execFileSync } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresServer, postgresServer } from './support/postgres.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';
import { type SmallDisk, smallDisk } from './support/small-disk.ts';

const ours = process.env.POSTERN_TEST_DATABASE_URL === undefined;
const disk: SmallDisk | undefined = ours ? await smallDisk(32) : undefined;

/** Without the right to mount there is no disk that a test may fill. */
describe.runIf(disk !== undefined)('PostgreSQL whose disk is full', () => {
  let server: PostgresServer;
  let service: TestService;
  let project: TestProject;
  beforeAll(async () => {
    server = await postgresServer();
    service = await startService({ env: { POSTERN_DATABASE_URL: await databaseOn(disk) } });
    project = await service.makeProject({ rateServer: 1_000_000, quotaLimit: 1_000_000 });
  });
  afterAll(async () => {
    await service?.close();
    await server?.remove();
    await disk?.remove();
  });

  /** All tables are on the small disk; the write-ahead log is not. */
  async function databaseOn(place: SmallDisk | undefined): Promise<string> {
    const folder = join(place?.folder ?? '', 'tables');
    await mkdir(folder);
    const postgresUser = Number(execFileSync('id', ['-u', 'postgres']).toString());
    await chown(folder, postgresUser, -1);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(`CREATE TABLESPACE small LOCATION '${folder}'`);
    await client.query('CREATE DATABASE on_small_disk TABLESPACE small');
    await client.end();
    const url = new URL(server.url);
    url.pathname = '/on_small_disk';
    return url.href;
  }

  let number = 0;
  let answered = 0;
  const email = 'jane.doe@gmail.com';

  /** Requests of new devices, each of which needs room; answers how they ended. */
  async function load(count: number): Promise<number[]> {
    const statuses = await Promise.all(
      Array.from({ length: count }, async () => {
        number += 1;
        const since = performance.now();
        const { status, headers } = await project.validate({ email, fingerprintHash: `device-${number}` });
        expect(performance.now() - since).toBeLessThan(2_000);
        expect(status === 200 || headers['retry-after'] !== undefined).toBe(true);
        return status;
      }),
    );
    answered += statuses.filter((status) => status === 200).length;
    return statuses;
  }

  it('answers 503 in time, counts exactly what it answered, and resumes by itself', async () => {
    expect(await load(20)).toEqual(Array(20).fill(200));
    await disk?.fill();
    // What is left on pages that are there already is used up first.
    const seen = new Set<number>();
    while (!seen.has(503)) for (const status of await load(40)) seen.add(status);
    for (const status of await load(40)) seen.add(status);
    expect([...seen].sort()).toEqual([200, 503]);
    expect(service.output()).toContain('No space left on device');
    expect((await service.ask({ path: '/readyz' })).status).toBe(503);

    await disk?.makeRoom();
    expect(await load(40)).toEqual(Array(40).fill(200));
    const { headers } = await project.validate({ email });
    expect(headers['x-quota-used']).toBe(String(answered + 1));
  });
});
