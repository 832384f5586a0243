import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Site {
  /** `http://localhost:…`, another origin than the service’s `127.0.0.1`. */
  readonly origin: string;
  /** The bodies of the forms that were posted, in order. */
  readonly posted: URLSearchParams[];
  close(): Promise<void>;
}

/** A web site with a few files, by path. A POST is recorded and answered with a page that says so. */
export async function startSite(
  files: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Site> {
  const posted: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (request.method === 'POST') {
      let body = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => {
        body += chunk;
      });
      request.on('end', () => {
        posted.push(new URLSearchParams(body));
        response
          .writeHead(200, { 'Content-Type': 'text/html' })
          // Some builds of Chromium ask for an icon, and log that there is none.
          .end('<title>Welcome</title><link rel="icon" href="data:,"><h1>Welcome</h1>');
      });
      return;
    }
    const content = files[path];
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
    const status = content === undefined ? 404 : 200;
    response
      .writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers })
      .end(content ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    posted,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
