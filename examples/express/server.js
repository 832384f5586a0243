// Express with Postern’s guard before the sign-up’s handler. One command: npm run example express
import { fileURLToPath } from 'node:url';
import { createPosternServerClient, expressGuard, getSignUp } from '@postern/sdk-node';
import express from 'express';
import { listening, POSTERN_SCRIPT, readSettings, signUpPage } from '../settings.js';

const settings = readSettings();
const postern = createPosternServerClient();
const app = express();

app.get('/', (_request, response) => response.type('html').send(signUpPage(settings)));
app.get('/postern.js', (_request, response) => response.sendFile(fileURLToPath(POSTERN_SCRIPT)));

const guard = expressGuard(postern, {
  onRefused: ({ reason, verdictRefusal }) => console.log(`Refused: ${verdictRefusal ?? reason}`),
});
app.post('/sign-up', express.urlencoded(), express.json(), guard, (request, response) => {
  const { email, recommendation, source } = getSignUp(request);
  response.type('text').send(`Welcome, ${email}! (${recommendation}, by ${source})`);
});

const server = app.listen(settings.port, 'localhost', () => listening(server));
