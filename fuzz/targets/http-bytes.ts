import { type AddressInfo, connect } from 'node:net';
import pino from 'pino';
import { createServer, type ServerParts } from '../../packages/service/src/http/server.ts';
import type { FuzzTarget } from '../target.ts';

/** Answers with what the handler received, so that two parsers can be compared. */
const echo: ServerParts['validate'] = async ({ header, body }) => ({
  status: 200,
  headers: {},
  body: JSON.stringify({
    host: header('host'),
    authorization: header('authorization'),
    project: header('x-project-id'),
    origin: header('origin'),
    forwarded: header('x-forwarded-for'),
    body: body.toString('latin1'),
  }),
  label: 'allow',
});

const NO_METRICS = new Proxy({} as ServerParts['metrics'], { get: () => () => {} });

async function openServer(fastPath: boolean) {
  const server = createServer({
    validate: echo,
    outcomes: echo,
    hooks: echo,
    ...{ challenge: echo, pageReport: echo },
    claims: { take: echo, find: echo, release: echo },
    log: pino({ level: 'silent' }),
    metrics: NO_METRICS,
    tls: undefined,
    fastPath,
    maxConnections: 1_000,
    onAnswered: () => {},
    onConnectionRefused: () => {},
    onShortage: () => {},
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { port, close: () => server.close() };
}

/** Everything that is received for the bytes, without the parts that differ between answers. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.end(bytes));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(withoutChanging(text)));
  });
}

/** Request IDs and dates change. Headers may have another order, and keep-alive headers may differ. */
function withoutChanging(text: string): string {
  return text
    .split('\r\n')
    .filter((line) => !/^(?:date|x-request-id|connection|keep-alive):/i.test(line))
    .join('\r\n');
}

/** The fast path and Node’s parser give the same answer to the same bytes, and neither fails. */
export const httpBytes: FuzzTarget = {
  name: 'http-bytes',
  words: [
    '\r\n',
    '\n',
    '\r\n\r\n',
    'Host: x\r\n',
    'Content-Length: 2\r\n',
    'Content-Length: 2\t\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Connection: close\r\n',
    'Expect: 100-continue\r\n',
    'Content-Encoding: gzip\r\n',
    'HTTP/1.0',
    'HTTP/2.0',
    'POST /v1/validate HTTP/1.1\r\n',
    'OPTIONS ',
    '{}',
    '0\r\n\r\n',
    ' ',
    '\t',
    ':',
  ],
  open: async () => {
    const fast = await openServer(true);
    const node = await openServer(false);
    return {
      check: async (input) => {
        const [one, other] = await Promise.all([exchange(fast.port, input), exchange(node.port, input)]);
        if (one !== other) throw new Error(`fast path: ${one}\nNode: ${other}`);
        if (/^HTTP\/1\.1 5/m.test(one)) throw new Error(one);
      },
      close: async () => {
        await Promise.all([fast.close(), node.close()]);
      },
    };
  },
};
