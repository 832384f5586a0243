import { createReadStream, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFeedArchive } from '../dist/feeds/feed-archive.js';
import { runRefresh } from '../dist/feeds/feed-refresher.js';
import { startService } from './support/service.ts';

const MEGABYTE = 1024 * 1024;
const { resolve } = createRequire(import.meta.url);
const TABLE = join(resolve('@ip-location-db/asn/package.json'), '..', 'asn-ipv4-num.csv');
/** Sources as large as the built-in ones. */
const lists = createServer(({ url }, response) => {
  if (url === '/table') createReadStream(TABLE).pipe(response);
  else response.end(Array.from({ length: 150_000 }, (_, at) => `harbour${at}view.xyz`).join('\n'));
});
let folder: string;
let setting: string;

beforeAll(async () => {
  await new Promise<void>((done) => lists.listen(0, '127.0.0.1', done));
  folder = await mkdtemp(join(tmpdir(), 'postern-large-'));
  setting = join(folder, 'sources.json');
  const at = (path: string) => `http://127.0.0.1:${(lists.address() as AddressInfo).port}${path}`;
  const sources = [
    { name: 'many', url: at('/domains'), format: 'domains', use: { list: 'domains', tier: 'aggregator' } },
    { name: 'table', url: at('/table'), format: 'asn-csv', use: { list: 'networks', table: true } },
  ];
  await writeFile(setting, JSON.stringify(sources));
});
afterAll(async () => {
  lists.close();
  await rm(folder, { recursive: true });
});

test('a refresh of sources of real size stays within 200 MB', { timeout: 600_000 }, async () => {
  const job = { setting, folder: join(folder, 'feeds'), force: true, only: undefined };
  expect(await runRefresh(job)).toMatchObject({ refused: {}, compiled: ['domains', 'networks'] });
  const status = openFeedArchive(join(folder, 'feeds'), Date.now).status();
  expect(status.lists.networks.peakMemoryBytes).toBeLessThan(200 * MEGABYTE);
});

test.runIf(process.platform === 'linux')(
  'the service and its refresh stay within 512 MB together, until the new data is in use',
  { timeout: 900_000 },
  async () => {
    const service = await startService({ env: { POSTERN_FEEDS: setting } });
    let peak = 0;
    const measuring = setInterval(() => {
      peak = Math.max(peak, residentBytes(service.process.pid));
    }, 50);
    try {
      const origins = async () => {
        const { json } = await service.ask({ path: '/readyz' });
        return [json.parts.domains.origin, json.parts.networks.origin];
      };
      await expect.poll(origins, { timeout: 600_000, interval: 500 }).toEqual(['refreshed', 'refreshed']);
    } finally {
      clearInterval(measuring);
      await service.close();
    }
    expect(peak).toBeGreaterThan(100 * MEGABYTE);
    expect(peak).toBeLessThan(512 * MEGABYTE);
  },
);

/** The memory of a process and its children. Pages that they share count twice. */
function residentBytes(pid: number | undefined): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const ofChildren =
      children === '' ? [] : children.split(' ').map((child) => residentBytes(Number(child)));
    return ofChildren.reduce((sum, bytes) => sum + bytes, Number(kilobytes ?? 0) * 1024);
  } catch {
    // The process has ended.
    return 0;
  }
}
