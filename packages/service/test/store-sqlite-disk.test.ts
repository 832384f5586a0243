import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { startService, type TestService } from './support/service.ts';
import { type SmallDisk, smallDisk } from './support/small-disk.ts';

const EMAIL = 'jane.doe@gmail.com';
const probe = await smallDisk(1);
await probe?.remove();

/** Without the right to mount, there is no disk that a test may fill. */
describe.runIf(probe !== undefined)('SQLite on its own disk', () => {
  let disk: SmallDisk | undefined;
  let service: TestService | undefined;
  beforeEach(async () => {
    disk = await smallDisk(24);
  });
  afterEach(async () => {
    await service?.close();
    service = undefined;
    await disk?.remove();
  });
  const dataDir = () => join(disk?.folder ?? '', 'data');

  it('that is full answers 503 in time with a clear message, keeps what it answered, and recovers by itself', async () => {
    service = await startService({ realDeadlines: true, dataDir: dataDir() });
    const project = await service.makeProject({ rateServer: 1_000_000, quotaLimit: 1_000_000 });
    let answered = 0;
    let number = 0;
    const send = async (count: number) => {
      const statuses = Array.from({ length: count }, async () => {
        number += 1;
        const body = { email: EMAIL, fingerprintHash: `device-${number}` };
        const { status, headers } = await project.validate(body);
        if (status === 200) answered += 1;
        else expect([status, headers['retry-after']]).toEqual([503, expect.any(String)]);
        return status;
      });
      return new Set(await Promise.all(statuses));
    };
    expect(await send(20)).toEqual(new Set([200]));
    await disk?.fill();
    while (!(await send(20)).has(503));
    await send(20);
    await expect.poll(service.output).toContain('the disk is full; nothing was written, free some space');
    const ready = await service.ask({ path: '/readyz' });
    expect([ready.status, ready.json.parts.store.status]).toEqual([503, 'down']);
    expect(ready.text).not.toContain(dataDir());
    expect(ready.text).not.toContain('postern.db');

    await disk?.makeRoom();
    expect(await send(20)).toEqual(new Set([200]));
    const { headers } = await project.validate({ email: EMAIL, fingerprintHash: 'device-1' });
    expect(headers['x-quota-used']).toBe(String(answered + 1));
    const store = await openSqliteStore({ file: join(dataDir(), 'postern.db') });
    await store.verify().finally(() => store.close());
  });

  it('that is read-only is reported at start, and no files are left behind', async () => {
    await disk?.makeReadOnly();
    await expect(startService({ realDeadlines: true, dataDir: dataDir() })).rejects.toThrow(
      /postern\.db: cannot create the database; check the folder, its owner and its permissions/,
    );
    expect(await readdir(disk?.folder ?? '')).toEqual([]);
  });

  it('that became read-only with a database on it is reported at start', async () => {
    const first = await startService({ realDeadlines: true, dataDir: dataDir() });
    await first.makeProject();
    await first.close();
    await disk?.makeReadOnly();
    await expect(startService({ realDeadlines: true, dataDir: dataDir() })).rejects.toThrow(
      /postern\.db: (the database or its folder is read-only|cannot open the database|cannot create the database).*permissions?/,
    );
  });
});
