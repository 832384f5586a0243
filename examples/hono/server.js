// The page and the server around sign-up.js. One command: npm run example hono
import { readFile } from 'node:fs/promises';
import { serve } from '@hono/node-server';
import { listening, POSTERN_SCRIPT, readSettings, signUpPage } from '../settings.js';
import { app } from './sign-up.js';

const settings = readSettings();
app.get('/', (context) => context.html(signUpPage(settings)));
app.get('/postern.js', async (context) =>
  context.body(await readFile(POSTERN_SCRIPT, 'utf8'), 200, { 'Content-Type': 'text/javascript' }),
);
const server = serve({ fetch: app.fetch, port: settings.port, hostname: 'localhost' }, () =>
  listening(server),
);
