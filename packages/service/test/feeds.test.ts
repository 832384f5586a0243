import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runRefresh } from '../dist/feeds/feed-refresher.js';
import { startService, type TestService } from './support/service.ts';

/** A domain that is on no bundled list and does not look disposable. */
const FRESH = 'harbour7view.com';
const list = createServer((_, response) =>
  response.end(Array.from({ length: 50 }, (_, at) => `harbour${at}view.com`).join('\n')),
);
let service: TestService;
let setting: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => list.listen(0, '127.0.0.1', resolve));
  service = await startService({ zone: { '*': { MX: [[10, 'mx.mail-house.net']], A: ['93.184.216.34'] } } });
  setting = join(service.dataDir, 'sources.json');
  const url = `http://127.0.0.1:${(list.address() as AddressInfo).port}/list.txt`;
  await writeFile(
    setting,
    JSON.stringify([{ name: 'own', url, format: 'domains', use: { list: 'domains', tier: 'curated' } }]),
  );
});
afterAll(async () => {
  await service.close();
  list.close();
});

describe('a refresh', () => {
  it('in its own process is used after the next start, by every process with the same folder', async () => {
    const project = await service.makeProject();
    const before = await project.validate({ email: `jane.doe@${FRESH}` });
    expect(before.json.checks.disposable.pass).toBe(true);

    const progress: string[] = [];
    const folder = join(service.dataDir, 'feeds');
    const result = await runRefresh(
      { setting, folder, force: true, only: undefined },
      { onProgress: ({ step }) => progress.push(step) },
    );
    expect(result).toMatchObject({ changed: ['own'], refused: {}, compiled: ['domains'] });
    expect(new Set(progress)).toEqual(new Set(['fetch', 'done', 'compile']));

    const next = await startService({
      dataDir: service.dataDir,
      zone: null,
      env: { POSTERN_FEEDS: setting },
    });
    const after = await next.ask({
      method: 'POST',
      path: '/validate',
      headers: { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id },
      body: JSON.stringify({ email: `jane.doe@${FRESH}` }),
    });
    expect(after.json.checks.disposable).toMatchObject({ pass: false, metadata: { matched: FRESH } });
    expect(after.json.checks.disposable.metadata.dataVersion).not.toBe(
      before.json.checks.disposable.metadata.dataVersion,
    );
    const { json } = await next.ask({ path: '/readyz' });
    expect(json.parts.feeds).toMatchObject({
      status: 'ok',
      sources: [{ name: 'own', entries: 50, stale: false }],
    });
    expect(json.parts.domains.origin).toBe('refreshed');
    const { text } = await next.ask({ path: '/metrics' });
    expect(text).toMatch(/^postern_data_info\{list="domains",version="[^"]+",origin="refreshed"\} 1$/m);
    expect(text).toMatch(/^postern_feed_entries\{source="own"\} 50$/m);
    const [, fetched] = /^postern_feed_fetched_timestamp_seconds\{source="own"\} ([\d.]+)$/m.exec(text) ?? [];
    expect(Math.abs(Number(fetched) - Date.now() / 1000)).toBeLessThan(600);
    expect(text).toMatch(/^postern_feed_failures\{source="own"\} 0$/m);
    expect(text).toMatch(/^postern_feed_age_seconds\{source="own"\} [\d.]+$/m);
    expect(text).toMatch(/^postern_feed_compile_failures\{list="domains"\} 0$/m);
    expect(text).toMatch(/^postern_feed_compile_seconds\{list="domains"\} [\d.]+$/m);
    await next.close();
  });

  it('that takes too much memory is stopped, and this is reported', { timeout: 600_000 }, async () => {
    const folder = join(service.dataDir, 'feeds');
    await rm(join(folder, 'domains.bin'));
    const job = { setting, folder, force: true, only: undefined };
    await expect(runRefresh(job, { memoryLimitBytes: 75 * 1024 * 1024 })).rejects.toThrow(/memory/);
    const next = await startService({
      dataDir: service.dataDir,
      zone: null,
      env: { POSTERN_FEEDS: setting },
    });
    const { json } = await next.ask({ path: '/readyz' });
    expect(json.parts.feeds).toMatchObject({
      status: 'degraded',
      message: expect.stringMatching(/since .*memory/),
    });
    await next.close();
    expect(await runRefresh(job)).toMatchObject({ compiled: ['domains'], compileFailed: {} });
  });
});
