// The page and the server around sign-up.js. One command: npm run example fastify
import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { listening, POSTERN_SCRIPT, readSettings, signUpPage } from '../settings.js';
import { signUp } from './sign-up.js';

const settings = readSettings();
const app = fastify();
// Fastify itself reads JSON only. @fastify/formbody does the same as this.
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, Object.fromEntries(new URLSearchParams(body))),
);
app.get('/', (_request, reply) => reply.type('text/html').send(signUpPage(settings)));
app.get('/postern.js', (_request, reply) => reply.type('text/javascript').send(readFileSync(POSTERN_SCRIPT)));
app.register(signUp);

await app.listen({ port: settings.port, host: 'localhost' });
listening(app.server);
