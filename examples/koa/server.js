// The page and the server around sign-up.js. One command: npm run example koa
import { readFile } from 'node:fs/promises';
import Koa from 'koa';
import { listening, POSTERN_SCRIPT, readSettings, signUpPage } from '../settings.js';
import { router } from './sign-up.js';

const settings = readSettings();
router.get('/', (context) => {
  context.body = signUpPage(settings);
});
router.get('/postern.js', async (context) => {
  context.body = await readFile(POSTERN_SCRIPT, 'utf8');
  context.type = 'text/javascript';
});

const app = new Koa();
app.use(router.routes());
const server = app.listen(settings.port, 'localhost', () => listening(server));
