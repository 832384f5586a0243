import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { addFastPath, type FastPathOptions } from './fast-path.ts';

const REQUEST = 'POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';

const opened: { close: () => void }[] = [];
afterEach(() => {
  for (const { close } of opened.splice(0)) close();
});

async function openFastPath(options: Partial<FastPathOptions>) {
  const server = createServer();
  const fastPath = addFastPath(server, {
    event: 'connection',
    firstRequestMs: 60_000,
    keepAliveMs: 60_000,
    lastRequestsMs: 10,
    requestIdOf: () => 'id',
    serve: async () => ({ status: 200, headers: {}, body: '{}', label: 'allow' }),
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  opened.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  /** A peer that never closes its half of the connection. */
  const open = () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    sockets.push(socket);
    return socket;
  };
  return { server, fastPath, open };
}

const answerOn = (socket: Socket) => new Promise((resolve) => socket.once('data', resolve));

describe('a fast path that closes', () => {
  it('does not wait for peers that keep their half of the connection open', async () => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let finish = () => {};
    const { server, fastPath, open } = await openFastPath({
      serve: async ({ headers }) => {
        if (headers.has('x-slow')) {
          begin();
          await new Promise<void>((resolve) => {
            finish = resolve;
          });
        }
        return { status: 200, headers: {}, body: '{}', label: 'allow' };
      },
    });
    const silent = open();
    const idle = open();
    const busy = open();
    await new Promise((resolve) => silent.once('connect', resolve));
    idle.write(REQUEST);
    await answerOn(idle);
    busy.write(REQUEST.replace('Host: x', 'Host: x\r\nX-Slow: 1'));
    await begun;
    const closed = new Promise((resolve) => server.close(resolve));
    fastPath.close();
    const answer = answerOn(busy);
    finish();
    expect(String(await answer)).toContain('Connection: close');
    await closed;
  });
});

describe('a request on its way when the fast path closes', () => {
  it('is still answered, and its connection then closes', async () => {
    const { server, fastPath, open } = await openFastPath({ lastRequestsMs: 60_000 });
    const socket = open();
    socket.write(REQUEST);
    await answerOn(socket);
    const closed = new Promise((resolve) => server.close(resolve));
    fastPath.close();
    const ended = new Promise((resolve) => socket.once('end', resolve));
    const answer = Promise.race([answerOn(socket), ended]);
    socket.write(REQUEST);
    expect(String(await answer)).toContain('Connection: close');
    await ended;
    await closed;
  });
});

describe('a peer that does not read', () => {
  it('is not served again until it does', async () => {
    let served = 0;
    const body = JSON.stringify('x'.repeat(16 * 1024 * 1024));
    const { open } = await openFastPath({
      serve: async ({ headers }) => {
        if (headers.has('x-other')) return { status: 200, headers: {}, body: '{}', label: 'allow' };
        served += 1;
        return { status: 200, headers: {}, body, label: 'allow' };
      },
    });
    const deaf = open();
    deaf.pause();
    deaf.write(REQUEST);
    const other = open();
    const askAnother = async () => {
      other.write(REQUEST.replace('Host: x', 'Host: x\r\nX-Other: 1'));
      await answerOn(other);
    };
    while (served === 0) await askAnother();
    await new Promise<void>((resolve) => deaf.write(REQUEST, () => resolve()));
    // Anything sent before these answers has been read by now, if it is read at all.
    for (let round = 0; round < 5; round += 1) await askAnother();
    expect(served).toBe(1);
    deaf.resume();
    while (served === 1) await askAnother();
  });
});

describe('a connection without a request', () => {
  it('closes after its timeout', async () => {
    const { open } = await openFastPath({ firstRequestMs: 50 });
    const silent = open();
    silent.resume();
    await new Promise((resolve) => silent.once('end', resolve));
  });
});
