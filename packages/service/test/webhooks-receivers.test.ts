import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { posternOn } from '../../cli/test/support/postern.ts';
import { type DashboardClient, member } from './support/dashboard.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';
import {
  EXPIRED_CERTIFICATE,
  EXPIRED_CERTIFICATE_KEY,
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from './support/test-certificate.ts';
import { createWebhook } from './support/webhooks.ts';

const WAIT = { timeout: 110_000, interval: 100 };
const OWN = { cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY };

let service: TestService;
let viewer: DashboardClient;
const receivers: Server[] = [];

async function listen(receiver: Server): Promise<number> {
  receivers.push(receiver);
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  return (receiver.address() as AddressInfo).port;
}

afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close().closeAllConnections();
});

async function startWith(env: Record<string, string> = {}): Promise<void> {
  service = await startService({ env: { POSTERN_WEBHOOK_ALLOW: '127.0.0.1/32', ...env } });
  viewer = await member(service, 'viewer');
}

/** Sends a block to the URL. Returns the delivery as dashboard and command line show it once `done` holds. */
async function deliveryTo(url: string, done: (row: { error: string | null; state: string }) => boolean) {
  const project: TestProject = await service.makeProject();
  const { id } = await service.admin((admin) => createWebhook(admin, { projectId: project.id, url }));
  await project.validate({ email: 'mallory@mailinator.com' });
  return vi.waitFor(async () => {
    const [row] = (await viewer.get(`/webhooks/${id}/deliveries`)).json.rows;
    expect(row).toSatisfy(done);
    return { row, id };
  }, WAIT);
}

async function failureTo(url: string): Promise<string> {
  const { row, id } = await deliveryTo(url, ({ error }) => error !== null);
  expect(row).toMatchObject({ state: 'pending', status: null });
  const postern = posternOn({ POSTERN_DATA_DIR: service.dataDir });
  expect((await postern('webhook', 'deliveries', id)).out).toContain(row.error);
  return row.error;
}

const fine: RequestListener = (request, response) => request.resume().on('end', () => response.end());

describe('a receiver that lies about TLS', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postern-trusted-'));
    const trusted = join(folder, 'trusted.pem');
    await writeFile(trusted, TEST_CERTIFICATE + EXPIRED_CERTIFICATE);
    await startWith({ NODE_EXTRA_CA_CERTS: trusted });
  });
  afterAll(async () => {
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('with a certificate for another host name gets nothing', async () => {
    const received = vi.fn();
    const port = await listen(createHttpsServer(OWN, received));
    expect(await failureTo(`https://127.0.0.1:${port}/`)).toMatch(
      /^The receiver cannot be reached: its TLS certificate is for another host name \(.*127\.0\.0\.1/,
    );
    expect(received).not.toHaveBeenCalled();
  });

  it('with an expired certificate gets nothing', async () => {
    const received = vi.fn();
    const tls = { cert: EXPIRED_CERTIFICATE, key: EXPIRED_CERTIFICATE_KEY };
    const port = await listen(createHttpsServer(tls, received));
    expect(await failureTo(`https://127.0.0.1:${port}/`)).toBe(
      'The receiver cannot be reached: its TLS certificate has expired',
    );
    expect(received).not.toHaveBeenCalled();
  });
});

describe('a receiver that does not behave', () => {
  beforeAll(() => startWith());
  afterAll(() => service?.close());

  it('with a self-signed certificate gets nothing', async () => {
    const received = vi.fn();
    const port = await listen(createHttpsServer(OWN, received));
    expect(await failureTo(`https://127.0.0.1:${port}/`)).toBe(
      'The receiver cannot be reached: its TLS certificate is self-signed',
    );
    expect(received).not.toHaveBeenCalled();
  });

  it('that does not speak TLS at all is told apart', async () => {
    const port = await listen(createServer(fine));
    expect(await failureTo(`https://127.0.0.1:${port}/`)).toMatch(
      /^The receiver cannot be reached: TLS failed: .*wrong version number/,
    );
  });

  it('that is dead is told with the reason', async () => {
    const dead = createServer(fine);
    const port = await listen(dead);
    await new Promise((resolve) => dead.close(resolve));
    expect(await failureTo(`http://127.0.0.1:${port}/`)).toMatch(/cannot be reached: .*ECONNREFUSED/);
  });

  it('that never answers is given up after ten seconds, and holds up neither requests nor others', async () => {
    const slow = await listen(createServer((request) => request.resume()));
    const waiting = failureTo(`http://127.0.0.1:${slow}/`);
    const quick = await listen(createServer(fine));
    await deliveryTo(`http://127.0.0.1:${quick}/`, ({ state }) => state === 'delivered');
    expect(await waiting).toMatch(/did not finish within 10 seconds/);
  });

  it('that redirects to loopback outside of what is allowed gets no further', async () => {
    const port = await listen(
      createServer((request, response) =>
        request.resume().on('end', () => response.writeHead(307, { location: 'http://127.0.0.2:1/' }).end()),
      ),
    );
    expect(await failureTo(`http://127.0.0.1:${port}/`)).toMatch(/private address/);
  });

  it('that answers with 100 MB is not read', async () => {
    let written = 0;
    const port = await listen(
      createServer((_request, response) => {
        response.writeHead(200, { 'content-length': 100 * 1024 * 1024 });
        const chunk = Buffer.alloc(64 * 1024);
        const more = () => {
          while (!response.destroyed && written < 100 * 1024 * 1024) {
            written += chunk.length;
            if (!response.write(chunk)) return;
          }
        };
        response.on('drain', more);
        more();
      }),
    );
    const { row } = await deliveryTo(`http://127.0.0.1:${port}/`, ({ state }) => state === 'delivered');
    expect(row).toMatchObject({ status: 200, attempts: 1 });
    // What the system buffers on both sides of the connection, and no more.
    expect(written).toBeLessThan(50 * 1024 * 1024);
  });
});

describe('a redirect to 127.0.0.1', () => {
  afterAll(() => service?.close());

  it('is refused where the operator allows another private range only', async () => {
    await startWith({ POSTERN_WEBHOOK_ALLOW: '127.0.0.2/32' });
    const received = vi.fn(fine);
    const inside = await listen(createServer(received));
    const outside = createServer((request, response) =>
      request
        .resume()
        .on('end', () => response.writeHead(307, { location: `http://127.0.0.1:${inside}/` }).end()),
    );
    receivers.push(outside);
    await new Promise<void>((resolve) => outside.listen(0, '127.0.0.2', resolve));
    const { port } = outside.address() as AddressInfo;
    expect(await failureTo(`http://127.0.0.2:${port}/`)).toMatch(/private address/);
    expect(received).not.toHaveBeenCalled();
  });
});
