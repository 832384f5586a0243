// The page and the server around auth.js. One command: npm run example better-auth
import { fileURLToPath } from 'node:url';
import { fromNodeHeaders } from 'better-auth/node';
import express from 'express';
import { listening, POSTERN_SCRIPT, readSettings, signUpPage } from '../settings.js';
import { auth } from './auth.js';

const settings = readSettings();
const app = express();

app.get('/', (_request, response) => response.type('html').send(signUpPage(settings)));
app.get('/postern.js', (_request, response) => response.sendFile(fileURLToPath(POSTERN_SCRIPT)));
app.post('/sign-up', express.urlencoded(), async (request, response) => {
  // The page asks for no name and no password, to stay the same as in the other examples.
  const body = { ...request.body, name: 'Jane', password: 'correct horse battery staple' };
  try {
    const { user } = await auth.api.signUpEmail({ body, headers: fromNodeHeaders(request.headers) });
    response.type('text').send(`Welcome, ${user.email}!`);
  } catch (error) {
    response
      .status(error.statusCode ?? 500)
      .type('text')
      .send(error.message);
  }
});

const server = app.listen(settings.port, 'localhost', () => listening(server));
