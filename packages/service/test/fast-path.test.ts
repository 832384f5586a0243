import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestProject, type TestService } from './support/service.ts';

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
});
afterAll(() => service.close());

function request(email: string, more = '', line = 'POST /validate HTTP/1.1'): string {
  const body = JSON.stringify({ email, fingerprintHash: 'device' });
  return (
    `${line}\r\nHost: x\r\nAuthorization: Bearer ${project.serverKey}\r\nX-Project-Id: ${project.id}\r\n` +
    `X-Request-Id: id-${email.split('@')[0]}\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`
  );
}

interface Answer {
  readonly status: string;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the shape that it expects, and fails if it differs
  readonly json: any;
}

/** A connection from which answers are read one by one. */
class Line {
  readonly socket: Socket;
  readonly ended: Promise<void>;
  #text = '';
  #wake = () => {};

  constructor() {
    this.socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.setEncoding('utf8').on('data', (chunk) => {
      this.#text += chunk;
      this.#wake();
    });
    this.ended = new Promise((resolve) => {
      this.socket.on('end', () => {
        this.socket.end();
        resolve();
        this.#wake();
      });
    });
  }

  write(bytes: string): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()));
  }

  async answer(): Promise<Answer> {
    for (;;) {
      const bodyAt = this.#text.indexOf('\r\n\r\n') + 4;
      const [status = '', ...lines] = this.#text.slice(0, bodyAt - 4).split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
      );
      const end = bodyAt + Number(headers['content-length'] ?? 0);
      if (bodyAt >= 4 && this.#text.length >= end) {
        const json = JSON.parse(this.#text.slice(bodyAt, end));
        this.#text = this.#text.slice(end);
        return { status, headers, json };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

const CHANGING =
  /^(date|content-length|x-postern-verdict|x-quota-(used|remaining)|x-ratelimit-(remaining|reset))$/;

/** The parts of an answer that do not change between requests. */
function lasting({ status, headers, json }: Answer): unknown {
  const { checks, metadata, ...advice } = json;
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !CHANGING.test(name))),
    signed: headers['x-postern-verdict']?.split('.').length,
    checks: Object.keys(checks ?? {}),
    fingerprint: metadata?.fingerprintHash,
    advice,
  };
}

describe('a request in one piece and one in two', () => {
  it.each([
    ['a good one', (email: string) => request(email)],
    ['a wrong address', () => request('nothing')],
    ['a browser’s with a server key', (email: string) => request(email, 'Origin: https://app.example\r\n')],
    ['the versioned path', (email: string) => request(email, '', 'POST /v1/validate HTTP/1.1')],
  ])('get the same answer: %s', async (_name, make) => {
    const bytes = make('same.person@gmail.com');
    const whole = new Line();
    await whole.write(bytes);
    const answer = await whole.answer();
    const pieces = new Line();
    await pieces.write(bytes.slice(0, 40));
    // The pieces arrive separately only if the first was read before the second was sent. An answer in between proves
    // that.
    await whole.write(bytes);
    await whole.answer();
    await pieces.write(bytes.slice(40));
    expect(lasting(await pieces.answer())).toEqual(lasting(answer));
    whole.socket.destroy();
    pieces.socket.destroy();
  });
});

describe('a connection', () => {
  it('can carry several requests, ordinary or not', async () => {
    const line = new Line();
    const emails = ['first@gmail.com', 'second@gmail.com', 'third@gmail.com'];
    for (const email of emails) {
      await line.write(request(email));
      expect((await line.answer()).headers['x-request-id']).toBe(`id-${email.split('@')[0]}`);
    }
    const body = JSON.stringify({ email: 'fourth@gmail.com' });
    const chunked = `${request('fourth@gmail.com').split('Content-Length')[0]}Transfer-Encoding: chunked\r\n\r\n`;
    await line.write(`${chunked}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    expect(await line.answer()).toMatchObject({
      status: 'HTTP/1.1 200 OK',
      headers: { 'x-request-id': 'id-fourth' },
    });
    await line.write(request('fifth@gmail.com'));
    expect((await line.answer()).headers['x-request-id']).toBe('id-fifth');
    line.socket.destroy();
  });

  it('answers pipelined requests in order', async () => {
    const together = new Line();
    await together.write(request('one@gmail.com') + request('two@gmail.com') + request('three@gmail.com'));
    for (const name of ['one', 'two', 'three'])
      expect((await together.answer()).headers['x-request-id']).toBe(`id-${name}`);
    const behind = new Line();
    behind.socket.setNoDelay(true);
    for (const name of ['one', 'two', 'three']) await behind.write(request(`${name}@gmail.com`));
    for (const name of ['one', 'two', 'three'])
      expect((await behind.answer()).headers['x-request-id']).toBe(`id-${name}`);
    together.socket.destroy();
    behind.socket.destroy();
  });

  it('that the peer has half-closed is answered, then ends', async () => {
    const line = new Line();
    line.socket.end(request('last.words@gmail.com'));
    expect((await line.answer()).status).toBe('HTTP/1.1 200 OK');
    await line.ended;
  });

  it('ends after its answer if the peer asks for that', async () => {
    const line = new Line();
    await line.write(request('closing@gmail.com', 'Connection: close\r\n'));
    expect(await line.answer()).toMatchObject({
      status: 'HTTP/1.1 200 OK',
      headers: { connection: 'close' },
    });
    await line.ended;
  });

  it('that stays silent does not keep the service from stopping', async () => {
    const own = await startService();
    const silent = connect(own.port, '127.0.0.1');
    await new Promise((resolve) => silent.on('connect', resolve));
    const ended = new Promise((resolve) => silent.on('close', resolve));
    silent.resume();
    expect(await own.stop('SIGTERM')).toBe(0);
    await ended;
    await own.close();
  });
});

describe('a peer that sends a request and then no more', () => {
  it.each([
    ['in two pieces', (bytes: string) => [bytes.slice(0, 40), bytes.slice(40)]],
    ['that Node reads', (bytes: string) => [bytes.replace('Host: x', 'Host: x\r\nX-Odd:  y ')]],
    [
      'in two pieces that Node reads',
      (bytes: string) => {
        const odd = bytes.replace('Host: x', 'Host: x\r\nX-Odd:  y ');
        return [odd.slice(0, -5), odd.slice(-5)];
      },
    ],
  ])('gets its answer %s, and the connection ends', async (_name, cut) => {
    const line = new Line();
    line.socket.setNoDelay(true);
    const pieces = cut(request('half.closed@gmail.com'));
    for (const piece of pieces.slice(0, -1)) await line.write(piece);
    line.socket.end(pieces.at(-1) ?? '');
    expect((await line.answer()).status).toBe('HTTP/1.1 200 OK');
    await line.ended;
  });
});

describe('with the fast path switched off', () => {
  it('Node reads everything, and the answers are the same', async () => {
    const own = await startService({ env: { POSTERN_FAST_PATH: 'off' } });
    try {
      const other = await own.makeProject();
      expect((await other.validate({ email: 'jane.doe@gmail.com' })).status).toBe(200);
      const { text } = await own.ask({ path: '/metrics' });
      expect(text).toMatch(/^postern_validate_requests_total\{path="fast"\} 0$/m);
      expect(text).toMatch(/^postern_validate_requests_total\{path="node"\} 1$/m);
    } finally {
      await own.close();
    }
  });
});

describe('the metric', () => {
  it('counts the requests of each path', async () => {
    const own = await startService();
    try {
      const other = await own.makeProject();
      await other.validate({ email: 'jane.doe@gmail.com' });
      await other.validate({ email: 'jane.doe@gmail.com' }, { expect: 'tea' });
      const { text } = await own.ask({ path: '/metrics' });
      expect(text).toMatch(/^postern_validate_requests_total\{path="fast"\} 1$/m);
      expect(text).toMatch(/^postern_validate_requests_total\{path="node"\} 1$/m);
    } finally {
      await own.close();
    }
  });
});

describe('a tab after the length', () => {
  // Node 20 refuses it, later versions take it.
  it('is left to Node, which refuses or takes it', async () => {
    const text = request('tab@gmail.com').replace(/(Content-Length: \d+)/, '$1\t');
    const line = new Line();
    await line.write(text);
    expect((await line.answer()).status).toBe(await statusOfNode(text));
    line.socket.destroy();
  });
});

/** The status line with which this version of Node answers the request. */
async function statusOfNode(text: string): Promise<string> {
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(text);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  server.close();
  return answer.toString('latin1').split('\r\n')[0] ?? '';
}
