// The page and the server around sign-up.js, with nothing but Node. One command: npm run example plain-form
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { listening, POSTERN_SCRIPT, readSettings, signUpPage } from '../settings.js';
import { signUp } from './sign-up.js';

const settings = readSettings();
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
