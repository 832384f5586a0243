// A plain HTML form and a backend with nothing but Node. One command: npm run example plain-form
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createPosternServerClient } from '@postern/sdk-node';
import { listening, POSTERN_SCRIPT, readSettings, signUpPage } from '../settings.js';

const settings = readSettings();
const postern = createPosternServerClient();

async function signUp(request, response) {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const form = new URLSearchParams(body);
  const result = await postern.evaluateSignUp({
    email: form.get('email'),
    verdict: form.get('postern-verdict'),
    request,
  });
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  if (result.accepted)
    response.end(`Welcome, ${result.email}! (${result.recommendation}, by ${result.source})`);
  else response.writeHead(result.status).end(result.message);
}

const server = createServer((request, response) => {
  if (request.method === 'POST' && request.url === '/sign-up') {
    signUp(request, response).catch(() => response.writeHead(500).end());
  } else if (request.url === '/postern.js') {
    response.setHeader('Content-Type', 'text/javascript').end(readFileSync(POSTERN_SCRIPT));
  } else {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(signUpPage(settings));
  }
});
server.listen(settings.port, 'localhost', () => listening(server));
