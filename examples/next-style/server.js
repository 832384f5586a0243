// Stands in for `next start`, so that the route handler runs without Next. One command: npm run example next-style
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { listening, POSTERN_SCRIPT, readSettings, signUpPage } from '../settings.js';
import { POST } from './app/sign-up/route.js';

const settings = readSettings();

/** Next hands out web requests, with the peer’s address in `X-Forwarded-For`. */
async function webRequest(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  headers.set('x-forwarded-for', request.socket.remoteAddress);
  const url = `http://${request.headers.host}${request.url}`;
  return new Request(url, { method: request.method, headers, body: Buffer.concat(chunks) });
}

async function handle(request, response) {
  if (request.method === 'POST') {
    const answer = await POST(await webRequest(request));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  } else if (request.url === '/postern.js') {
    response.setHeader('Content-Type', 'text/javascript').end(readFileSync(POSTERN_SCRIPT));
  } else {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(signUpPage(settings));
  }
}

const server = createServer((request, response) => {
  handle(request, response).catch(() => response.writeHead(500).end());
});
server.listen(settings.port, 'localhost', () => listening(server));
