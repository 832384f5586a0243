import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CORS_ALLOWED_HEADERS, CORS_EXPOSED_HEADERS } from '@postern/contract';
import { createFakePostern, type FakeOptions, type FakePostern, type FakeResponse } from './fake-postern.ts';

export interface FakeService extends FakePostern {
  /** For `POSTERN_URL` of the backend and `baseUrl` of the page under test. */
  readonly url: string;
  close(): Promise<void>;
}

/** The fake on a free port of this machine, for tests with a real backend or browser. Any key is accepted. */
export async function startFakeService(options: FakeOptions = {}): Promise<FakeService> {
  const fake = createFakePostern(options);
  const server = createServer((request, response) => void answer(fake, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...fake,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(fake: FakePostern, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Headers': CORS_ALLOWED_HEADERS,
    'Access-Control-Expose-Headers': CORS_EXPOSED_HEADERS,
  };
  if (request.method === 'OPTIONS') {
    response.writeHead(204, headers).end();
    return;
  }
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const { url = '/' } = request;
  const given = (await fake.fetch(`http://postern.test${url}`, {
    method: request.method === 'POST' ? 'POST' : 'GET',
    headers: {},
    body,
    signal: new AbortController().signal,
    credentials: 'omit',
  })) as FakeResponse;
  const type = { 'Content-Type': 'application/json' };
  response.writeHead(given.status, { ...headers, ...type, ...given.headerList }).end(await given.text());
}
