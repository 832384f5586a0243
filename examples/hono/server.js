// Hono with Postern’s guard before the sign-up’s handler. One command: npm run example hono
import { readFile } from 'node:fs/promises';
import { serve } from '@hono/node-server';
import { createPosternServerClient, getSignUp, honoGuard } from '@postern/sdk-node';
import { Hono } from 'hono';
import { listening, POSTERN_SCRIPT, readSettings, signUpPage } from '../settings.js';

const settings = readSettings();
const postern = createPosternServerClient();
const app = new Hono();

app.get('/', (context) => context.html(signUpPage(settings)));
app.get('/postern.js', async (context) =>
  context.body(await readFile(POSTERN_SCRIPT, 'utf8'), 200, { 'Content-Type': 'text/javascript' }),
);
app.post('/sign-up', honoGuard(postern), (context) => context.text(`Welcome, ${getSignUp(context).email}!`));

const server = serve({ fetch: app.fetch, port: settings.port, hostname: 'localhost' }, () =>
  listening(server),
);
