import { existsSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestProject, type TestService } from './support/service.ts';
import { openConnection, TLS_ENV, TLS_FILES, type Transport } from './support/tls-service.ts';

const SILENT = process.env.TEST_SLOW === '1' ? 5_000 : 1_000;
const LONG_HEADER = `X-Long: ${'x'.repeat(20_000)}\r\n`;

describe.each<[Transport, Record<string, string>]>([
  ['plain', {}],
  ['TLS', TLS_ENV],
])('%s connections', { concurrent: true }, (transport, env) => {
  let service: TestService;
  let project: TestProject;
  beforeAll(async () => {
    service = await startService({ env, ca: TLS_FILES.cert });
    project = await service.makeProject();
  });
  afterAll(() => service.close());

  const open = () => openConnection(service.port, transport);

  const validation = () => {
    const body = JSON.stringify({ email: 'jane.doe@gmail.com' });
    return (
      `POST /validate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${project.serverKey}\r\n` +
      `X-Project-Id: ${project.id}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  };

  /** Every way in which a connection gets an answer, and the status it starts with. */
  const kinds: [string, () => string, number][] = [
    ['CONNECT', () => 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    [
      'an upgrade',
      () => 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
      200,
    ],
    ['bytes that are not HTTP', () => 'nonsense\r\n\r\n', 400],
    ['an unknown method', () => 'FOO /validate HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['headers that are too long', () => `POST /validate HTTP/1.1\r\nHost: x\r\n${LONG_HEADER}\r\n`, 431],
    ['a validation on the fast path', validation, 200],
    [
      'a validation on Node’s path',
      () => validation().replace('Host: x', 'Host: x\r\nConnection: close'),
      200,
    ],
  ];

  async function stillServes(): Promise<void> {
    expect((await project.validate({ email: 'jane.doe@gmail.com' })).status).toBe(200);
    expect(service.process.exitCode).toBeNull();
  }

  describe.each(kinds)('%s', (_name, bytes, status) => {
    it('with a reset before, during and after its answer does no harm', async () => {
      const text = bytes();
      for (const part of [text.slice(0, 8), text.slice(0, -1), text]) {
        const before = await open();
        before.socket.write(part, () => before.reset());
        await closed(before.socket);
      }
      const during = await open();
      during.socket.write(text);
      await new Promise((resolve) => setImmediate(resolve));
      during.reset();
      await closed(during.socket);

      const after = await open();
      after.socket.write(text);
      await firstBytes(after.socket);
      after.reset();
      await closed(after.socket);
      await stillServes();
    });

    it('is answered', async () => {
      const { socket } = await open();
      socket.write(bytes());
      expect(await firstBytes(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      socket.destroy();
    });
  });

  it.each(kinds.filter(([, , status]) => status !== 200))(
    '%s is closed although the peer keeps sending and never closes',
    async (_name, bytes) => {
      const { socket } = await open();
      const gone = closed(socket);
      socket.resume();
      socket.write(bytes());
      const drip = setInterval(() => socket.write('x'), 50);
      await gone;
      clearInterval(drip);
      await stillServes();
    },
  );

  it('a header that never ends is answered 408 and closed, however slowly it arrives', async () => {
    const { socket } = await open();
    const gone = closed(socket);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write('POST /validate HTTP/1.1\r\nHost: x\r\nX-Drip: ');
    const drip = setInterval(() => socket.write('x'), 500);
    await gone;
    clearInterval(drip);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text).toContain('{"error":"Request took too long to arrive"}');
  });

  it(`${SILENT} silent or incomplete connections are closed, and other requests are served in the meantime`, async () => {
    await stillServes();
    const descriptorsBefore = openDescriptors(service);
    // The first bytes of a ClientHello, or of a request.
    const halves = transport === 'TLS' ? Buffer.from('16030101000100', 'hex') : Buffer.from('POST /val');
    const sockets: Socket[] = [];
    const gone: Promise<void>[] = [];
    for (let number = 0; number < SILENT; number += 1) {
      const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
      sockets.push(socket);
      gone.push(closed(socket));
      socket.resume();
      await new Promise((resolve) => socket.once('connect', resolve));
      if (number % 2 === 0) socket.write(halves);
      // A third half-close: they send no more but still read.
      if (number % 3 === 0) socket.end();
      if (number % 200 === 0) await stillServes();
    }
    await stillServes();
    await Promise.all(gone);
    await stillServes();
    while (openDescriptors(service) > descriptorsBefore + 20) await stillServes();
    for (const socket of sockets) socket.destroy();
  });
});

/** Resolves when the other side has closed the connection completely, not only its own half. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    let knock: NodeJS.Timeout | undefined;
    socket.on('error', () => {});
    socket.once('close', () => {
      clearInterval(knock);
      resolve();
    });
    // A write fails if the peer has closed. If it has only ended its half, the write succeeds.
    socket.once('end', () => {
      knock = setInterval(() => socket.write('x'), 400);
    });
  });
}

function firstBytes(socket: Socket): Promise<string> {
  return new Promise((resolve) => socket.once('data', (chunk) => resolve(chunk.toString('latin1'))));
}

function openDescriptors(service: TestService): number {
  const folder = `/proc/${service.process.pid}/fd`;
  return existsSync(folder) ? readdirSync(folder).length : 0;
}
