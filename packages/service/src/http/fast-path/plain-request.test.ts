import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPlainRequest } from './plain-request.ts';

const BODY = '{"email":"jane@example.com"}';

function request(lines: readonly string[], body = BODY, line = 'POST /validate HTTP/1.1'): Buffer {
  return Buffer.from(`${[line, ...lines].join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

const LENGTH = `Content-Length: ${BODY.length}`;

describe('an ordinary request', () => {
  it.each(['/validate', '/v1/validate'])('POST %s is read completely', (path) => {
    const bytes = request(
      ['Host: x', 'X-Project-Id: p', LENGTH, 'Connection: Keep-Alive', 'X-Empty:'],
      BODY,
      `POST ${path} HTTP/1.1`,
    );
    const read = readPlainRequest(bytes);
    expect(read?.path).toBe(path);
    expect(read?.body.toString()).toBe(BODY);
    expect(Object.fromEntries(read?.headers ?? [])).toEqual({
      host: 'x',
      'x-project-id': 'p',
      'content-length': String(BODY.length),
      connection: 'Keep-Alive',
      'x-empty': '',
    });
  });

  it('may have an empty body', () => {
    expect(readPlainRequest(request(['Host: x', 'Content-Length: 0'], ''))?.body).toHaveLength(0);
  });
});

describe('left to Node', () => {
  const long = 'x'.repeat(17_000);
  /** A request that is plain except for the added part. */
  const odd = (lines: readonly string[], body?: string, line?: string) =>
    request(['Host: x', ...lines], body, line);
  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['no Host', request([LENGTH])],
    ['an empty Host', request(['Host:', LENGTH])],
    ['two Hosts', odd(['Host: y', LENGTH])],
    ['an encoded body', odd([LENGTH, 'Content-Encoding: gzip'])],
    ['a tab after the length', odd([`${LENGTH}\t`])],
    ['a space after a value', odd([LENGTH, 'X-A: b '])],
    ['a tab before a value', odd([LENGTH, 'X-A:\tb'])],
    ['a head without its end', Buffer.from('POST /validate HTTP/1.1\r\nHost: x\r\n')],
    ['a request line alone', Buffer.from('POST /validate HTTP/1.1\r\n\r\n')],
    ['another path', odd([LENGTH], BODY, 'POST /validate/ HTTP/1.1')],
    ['a query', odd([LENGTH], BODY, 'POST /validate?x HTTP/1.1')],
    ['another method', odd([LENGTH], BODY, 'PUT /validate HTTP/1.1')],
    ['another version', odd([LENGTH], BODY, 'POST /validate HTTP/1.0')],
    ['no length', request(['Host: x'])],
    ['a length twice', odd([LENGTH, LENGTH])],
    ['a length with a sign', odd([`Content-Length: +${BODY.length}`])],
    ['a length in hex', odd(['Content-Length: 0x1c'])],
    ['a length as a list', odd([`Content-Length: ${BODY.length}, ${BODY.length}`])],
    ['a byte too few', odd([`Content-Length: ${BODY.length + 1}`])],
    ['a byte too many', odd([`Content-Length: ${BODY.length - 1}`])],
    ['a body beyond the limit', odd([`Content-Length: ${long.length}`], long)],
    ['a head beyond the limit', odd([LENGTH, `X-Long: ${long}`])],
    ['chunks', odd([LENGTH, 'Transfer-Encoding: chunked'])],
    ['chunks without a length', odd(['Transfer-Encoding: chunked'], '0\r\n\r\n')],
    ['an expectation', odd([LENGTH, 'Expect: 100-continue'])],
    ['an upgrade', odd([LENGTH, 'Upgrade: websocket'])],
    ['the connection’s end', odd([LENGTH, 'Connection: close'])],
    ['a connection list', odd([LENGTH, 'Connection: keep-alive, upgrade'])],
    ['a header twice', odd([LENGTH, 'Origin: https://a.example', 'origin: https://b.example'])],
    ['a folded line', odd([LENGTH, 'X-Folded: a', ' b'])],
    ['a line without a colon', odd([LENGTH, 'X-Nothing'])],
    ['a name with a space', odd([LENGTH, 'X-Name : a'])],
    ['an empty name', odd([LENGTH, ': a'])],
    ['a bare line feed', odd([LENGTH, 'X-A: a\nX-B: b'])],
    ['a bare carriage return', odd([LENGTH, 'X-A: a\rX-B: b'])],
    ['a NUL', odd([LENGTH, 'X-A: a\0b'])],
    ['a value beyond ASCII', odd([LENGTH, 'X-A: \u00e9'])],
    ['two requests at once', Buffer.concat([odd([LENGTH]), odd([LENGTH])])],
  ])('%s', (_name, bytes) => {
    expect(readPlainRequest(bytes)).toBeUndefined();
  });
});

describe('whatever is read', () => {
  interface Seen {
    readonly url: string | undefined;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }
  const seen: Seen[] = [];
  const server = createServer({ requireHostHeader: false }, (incoming, response) => {
    let body = '';
    incoming.setEncoding('latin1').on('data', (chunk: string) => {
      body += chunk;
    });
    incoming.on('end', () => {
      seen.push({ url: incoming.url, headers: incoming.headers, body });
      response.end();
    });
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  /** What Node’s parser reads from the same bytes. */
  function toNode(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
      socket.on('error', reject);
      socket.on('close', () => resolve());
      socket.resume();
    });
  }

  it('Node reads the same way: never a different request, never two', async () => {
    const piece = fc.constantFrom(
      '\r\n',
      '\r',
      '\n',
      ' ',
      '\t',
      ':',
      ',',
      '\0',
      'a',
      '0',
      '1',
      'X-A: b',
      'Host',
      '\x80',
    );
    const change = fc.record({ at: fc.nat(200), drop: fc.nat(2), put: fc.array(piece, { maxLength: 3 }) });
    const start = request(['Host: x', 'X-Project-Id: p', LENGTH, 'Connection: keep-alive']).toString(
      'latin1',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 2 }), async (changes) => {
        let text = start;
        for (const { at, drop, put } of changes)
          text = text.slice(0, at) + put.join('') + text.slice(at + drop);
        const bytes = Buffer.from(text, 'latin1');
        const read = readPlainRequest(bytes);
        if (read === undefined) return;
        seen.length = 0;
        await toNode(bytes);
        expect(seen).toEqual([
          { url: read.path, headers: Object.fromEntries(read.headers), body: read.body.toString('latin1') },
        ]);
      }),
      { numRuns: 500 },
    );
  });
});
