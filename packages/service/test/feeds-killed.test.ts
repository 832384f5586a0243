import { fork } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFeedReports } from '../dist/feeds/feed-health.js';
import { runRefresh } from '../dist/feeds/feed-refresher.js';
import { loadDomainList } from '../dist/lookup/domain-list.js';

const KILLS = 50;
const PROCESS = fileURLToPath(new URL('../dist/feeds/refresh-process.js', import.meta.url));
let edition = 0;
/** Every edition has another domain, so each has to be compiled before it is used. */
const list = createServer((_, response) => {
  const lines = Array.from({ length: 50 }, (_, at) => `harbour${at}view.com`);
  response.end([...lines, `edition${edition}harbour.com`].join('\n'));
});
let dataDir: string;
let setting: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => list.listen(0, '127.0.0.1', resolve));
  dataDir = await mkdtemp(join(tmpdir(), 'postern-killed-'));
  setting = join(dataDir, 'sources.json');
  const url = `http://127.0.0.1:${(list.address() as AddressInfo).port}/list.txt`;
  const use = { list: 'domains', tier: 'curated' };
  await writeFile(setting, JSON.stringify([{ name: 'own', url, format: 'domains', use }]));
});
afterAll(async () => {
  list.close();
  await rm(dataDir, { recursive: true });
});

/** The same on every run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const jobOf = () => ({ setting, folder: join(dataDir, 'feeds'), force: true, only: undefined });

async function refreshAndKill(afterMs: number): Promise<void> {
  const child = fork(PROCESS, [JSON.stringify(jobOf())], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
}

/** Which edition the compiled data holds. Throws when it cannot be read. */
async function editionInUse(): Promise<number> {
  const domains = loadDomainList(await readFile(join(dataDir, 'feeds', 'domains.bin')));
  expect(domains.lookup('harbour7view.com')?.kind).toBe('listed');
  for (let known = edition; known >= 0; known -= 1)
    if (domains.lookup(`edition${known}harbour.com`)?.kind === 'listed') return known;
  throw new Error('no edition is in use');
}

async function ownReport() {
  const { sources } = await readFeedReports(setting, dataDir, Date.now());
  const [own] = sources;
  if (own === undefined) throw new Error('no report');
  return own;
}

test(`a refresh that is killed at any instant leaves good data in use, and the next one completes (${KILLS} times)`, {
  timeout: 45 * 60_000,
}, async () => {
  const random = seededRandom(15);
  const startedAt = performance.now();
  expect(await runRefresh(jobOf())).toMatchObject({ changed: ['own'], compiled: ['domains'] });
  let durationMs = performance.now() - startedAt;
  /** When each edition was first offered. */
  const offeredAt = [0];
  let killedEarly = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const good = await editionInUse();
    edition += 1;
    offeredAt.push(Date.now());
    await refreshAndKill(random() * durationMs);
    // Good data is in use, and it is not reported as newer than it is.
    const used = await editionInUse();
    expect([good, edition]).toContain(used);
    const { fetchedAt } = await ownReport();
    expect(fetchedAt ?? 0).toBeLessThanOrEqual(offeredAt[used + 1] ?? Date.now());
    if (used !== edition) killedEarly += 1;

    // Every fifth time a complete refresh follows. The other times the next refresh is killed again.
    if (kill % 5 !== 4) continue;
    const restartedAt = performance.now();
    expect(await runRefresh(jobOf())).not.toBe('busy');
    durationMs = performance.now() - restartedAt;
    expect(await editionInUse()).toBe(edition);
    expect(await ownReport()).toMatchObject({ stale: false, waiting: false, error: null });
  }
  // The test proves something only if at least one was killed before its end.
  expect(killedEarly).toBeGreaterThan(KILLS / 5);
});
