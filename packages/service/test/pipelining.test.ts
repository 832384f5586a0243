import { readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestProject, type TestService } from './support/service.ts';
import { openConnection, TLS_ENV, TLS_FILES, type Transport } from './support/tls-service.ts';

const CONNECTIONS = 20;
const REQUESTS = 2_500;
/** What the attack may take. Without a limit, each of the 50,000 requests took a descriptor and 70 KB. */
const MOST_DESCRIPTORS = 100;
const MOST_MEGABYTES = 150;

describe.each<[Transport, Record<string, string>]>([
  ['plain', {}],
  ['TLS', TLS_ENV],
])('pipelined requests on %s connections', (transport, env) => {
  let service: TestService;
  let project: TestProject;
  beforeAll(async () => {
    service = await startService({ env, ca: TLS_FILES.cert });
    project = await service.makeProject();
  });
  afterAll(() => service.close());

  const descriptors = () => readdirSync(`/proc/${service.process.pid}/fd`).length;
  const megabytes = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.process.pid}/status`, 'utf8'))?.[1]) / 1024;
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

  it('are answered completely and in order for a client that reads', async () => {
    const { socket } = await openConnection(service.port, transport);
    const ids = Array.from({ length: 1_000 }, (_, at) => `in-order-${at}`);
    let text = '';
    const done = new Promise<void>((resolve, reject) => {
      socket.once('close', () => reject(new Error('The connection was closed')));
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        if (text.indexOf(`${ids.at(-1)}\r\n`, text.length - 100_000) > 0) resolve();
      });
    });
    for (const [at, id] of ids.entries()) {
      const path = at % 50 === 0 ? '/docs/api' : at % 2 === 0 ? '/healthz' : '/nowhere';
      socket.write(get(path).replace('\r\n\r\n', `\r\nX-Request-Id: ${id}\r\n\r\n`));
    }
    await done;
    socket.destroy();
    expect([...text.matchAll(/^x-request-id: (.+)\r$/gim)].map(([, id]) => id)).toEqual(ids);
  });

  it('are answered before a CONNECT that follows them is refused, and nothing after it is', async () => {
    const { socket } = await openConnection(service.port, transport);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    const connect = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
    socket.write(get('/healthz').repeat(3) + connect + get('/healthz').repeat(50));
    await new Promise((resolve) => socket.once('end', resolve));
    socket.destroy();
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '200',
      '200',
      '405',
    ]);
  });

  it('that nobody reads take few descriptors and little memory, and leave nothing behind', async () => {
    // The checks, the pages and the code are in memory before the measurement.
    await project.validate({ email: 'jane.doe@gmail.com' });
    await service.ask({ path: '/docs/api' });
    const before = { descriptors: descriptors(), megabytes: megabytes() };
    const peak = { ...before };
    const look = () => {
      peak.descriptors = Math.max(peak.descriptors, descriptors());
      peak.megabytes = Math.max(peak.megabytes, megabytes());
    };
    const sockets: Socket[] = [];
    for (let number = 0; number < CONNECTIONS; number += 1) {
      const { socket } = await openConnection(service.port, transport);
      socket.on('error', () => {});
      sockets.push(socket);
      socket.write(get('/docs/api').repeat(REQUESTS));
      const answer = await project.validate({ email: `jane@missing-${number}.com` });
      // A busy machine may answer 503, but never lets a domain pass that does not exist.
      expect(['block', undefined]).toContain(answer.json.recommendation);
      look();
    }
    // Each round gives the service time to read more of what was sent.
    for (let round = 0; round < 50; round += 1) {
      await service.ask({ path: '/healthz' });
      look();
    }
    for (const socket of sockets) socket.destroy();
    expect(peak.descriptors - before.descriptors).toBeLessThan(MOST_DESCRIPTORS);
    expect(peak.megabytes - before.megabytes).toBeLessThan(MOST_MEGABYTES);
    while (descriptors() > before.descriptors + 10) await sleep(50);
  });
});
