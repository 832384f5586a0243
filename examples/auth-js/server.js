// The pages and the server around auth.js. One command: npm run example auth-js
import { fileURLToPath } from 'node:url';
import { Auth, skipCSRFCheck } from '@auth/core';
import express from 'express';
import { listening, POSTERN_SCRIPT, readSettings, signUpPage } from '../settings.js';
import { config } from './auth.js';

const settings = readSettings();
const app = express();
const authUrl = (path) => `${process.env.ORIGIN}${config.basePath}/${path}`;

app.get('/', (_request, response) => response.type('html').send(signUpPage(settings)));
app.get('/postern.js', (_request, response) => response.sendFile(fileURLToPath(POSTERN_SCRIPT)));
app.get('/refused', ({ query }, response) => response.type('text').send(String(query.message)));

// The page of the other examples instead of Auth.js’s own, so there is no CSRF token to send along.
app.post('/sign-up', express.urlencoded(), async (request, response) => {
  const body = new URLSearchParams({ ...request.body, callbackUrl: '/welcome' });
  const posted = new Request(authUrl('callback/credentials'), { method: 'POST', body });
  const answer = await Auth(posted, { ...config, skipCSRFCheck });
  response.setHeader('Set-Cookie', answer.headers.getSetCookie());
  response.redirect(303, answer.headers.get('location'));
});
app.get('/welcome', async (request, response) => {
  const asked = new Request(authUrl('session'), { headers: { cookie: request.headers.cookie ?? '' } });
  const session = await (await Auth(asked, config)).json();
  response.type('text').send(`Welcome, ${session?.user?.email}!`);
});

const server = app.listen(settings.port, 'localhost', () => listening(server));
