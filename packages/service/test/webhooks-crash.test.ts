import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startService, type TestProject, type TestService } from './support/service.ts';
import { BACK_ENDS, startServiceOn } from './support/service-on.ts';
import { createWebhook } from './support/webhooks.ts';

const WAIT = { timeout: 110_000, interval: 200 };
const ALLOW = { POSTERN_WEBHOOK_ALLOW: '127.0.0.1/32' };

let receiver: Server | undefined;
const services: TestService[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
  receiver?.close().closeAllConnections();
});

/** Counts deliveries by ID, and records if the same one is in progress twice. */
async function startReceiver() {
  const counts = new Map<string, number>();
  const underWay = new Set<string>();
  const overlaps: string[] = [];
  receiver = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    if (underWay.has(id)) overlaps.push(id);
    underWay.add(id);
    request.resume().on('end', () =>
      // Long enough for another process to claim it.
      setTimeout(() => {
        underWay.delete(id);
        counts.set(id, (counts.get(id) ?? 0) + 1);
        response.writeHead(204).end();
      }, 20),
    );
    response.on('close', () => underWay.delete(id));
  });
  await new Promise<void>((resolve) => receiver?.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, counts, overlaps };
}

async function block(project: TestProject, count: number): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) {
      next += 1;
      const person = randomUUID();
      const { status } = await project.validate({
        email: `${person}@mailinator.com`,
        validations: { disposable: 'block' },
      });
      // A busy machine may answer 503. Then the validation did not happen.
      if (status === 503) next -= 1;
      else if (status !== 200) throw new Error(`A validation was answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

describe.each(BACK_ENDS)('webhook events on %s', (backEnd) => {
  it('survive kill -9: none of 1,000 undelivered ones is lost', async () => {
    const { url, counts } = await startReceiver();
    const first = await startServiceOn(backEnd, { env: ALLOW });
    services.push(first);
    const project = await first.makeProject({ rateServer: 100_000, quotaLimit: 100_000 });
    await first.admin((admin) => createWebhook(admin, { projectId: project.id, url }));
    await block(project, 1_000);
    await first.stop('SIGKILL');
    expect(counts.size).toBeLessThan(1_000);
    const second = await startService({ dataDir: first.dataDir, env: { ...ALLOW, ...first.env } });
    services.unshift(second);
    await vi.waitFor(() => expect(counts.size).toBeGreaterThanOrEqual(1_000), WAIT);
  });
});

it('no event is delivered by two of four processes at once', async () => {
  const { url, counts, overlaps } = await startReceiver();
  const service = await startServiceOn('postgres', { env: { ...ALLOW, POSTERN_WORKERS: '4' } });
  services.push(service);
  const project = await service.makeProject({ rateServer: 100_000, quotaLimit: 100_000 });
  await service.admin((admin) => createWebhook(admin, { projectId: project.id, url }));
  await block(project, 300);
  await vi.waitFor(() => expect(counts.size).toBeGreaterThanOrEqual(300), WAIT);
  expect(overlaps).toEqual([]);
  expect([...counts.values()].filter((count) => count > 1)).toEqual([]);
});
