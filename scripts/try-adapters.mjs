// node scripts/try-adapters.mjs: installs the packed server SDK and real frameworks from npm into a folder outside of the
// checkout, and sends a good and a throwaway sign-up through each. Too heavy for `npm test`.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = [
  'koa@3',
  '@koa/bodyparser@6',
  'h3@1',
  'h3-2@npm:h3@2',
  '@nestjs/common@12',
  '@nestjs/core@12',
  '@nestjs/platform-express@12',
  '@nestjs/platform-fastify@12',
  'reflect-metadata',
  'rxjs@7',
  'better-auth@1.7.7',
  '@auth/core',
  'typescript@5.9',
  '@types/node@22',
];

/** The documented lines, as a strict TypeScript project has them. */
const TYPED = `
import { betterAuthPlugin, createPosternServerClient } from 'postern~sdk-node';
import { betterAuth } from 'better-auth';
import { createAuthClient } from 'better-auth/client';

export const auth = betterAuth({
  emailAndPassword: { enabled: true },
  plugins: [betterAuthPlugin(createPosternServerClient(), { onAccepted: ({ requestId }) => console.log(requestId) })],
});
const authClient = createAuthClient({ baseURL: 'http://127.0.0.1' });
export const signUp = (verdict: string) =>
  authClient.signUp.email({
    name: 'Jane',
    email: 'jane@example.com',
    password: 'correct horse',
    fetchOptions: { headers: { 'postern-verdict': verdict } },
  });
`;

/** A stand-in for the service; the SDK’s own tests use the real one. */
const TRIAL = `
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createPosternServerClient, koaGuard, checkEvent, nestGuard, betterAuthPlugin, authJsSignIn, getSignUp } from 'postern~sdk-node';

const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve('http://127.0.0.1:' + server.address().port)));
const service = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const bad = text.includes('mailinator');
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ checks: {}, metadata: {}, signals: [], recommendation: bad ? 'block' : 'allow', message: bad ? 'Please use a permanent email address.' : null }));
});
const postern = createPosternServerClient({ baseUrl: await listen(service), projectId: 'demo', apiKey: 'pst_server_live_0123456789ABCDEFGHIJKLMNOPQRST1X7MYu' });
const servers = [service];

async function expectGuarded(name, url) {
  const send = (email) => fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json', Origin: 'http://127.0.0.1' }, body: JSON.stringify({ email, password: 'correct horse', name: 'Jane' }) });
  const good = await send('jane@example.com');
  assert.ok(good.status < 300, name + ' good: ' + good.status + ' ' + await good.text());
  const bad = await send('x@mailinator.com');
  assert.equal(bad.status, 422, name);
  assert.match(await bad.text(), /permanent email address/, name);
  console.log(name + ': accepts and refuses');
}

async function expectPage(name, url) {
  const headers = { Accept: 'text/html,*/*;q=0.8' };
  const page = await fetch(url, { method: 'POST', headers, body: new URLSearchParams({ email: 'x@mailinator.com' }) });
  assert.equal(page.status, 422, name);
  assert.match(page.headers.get('content-type'), /^text\\/html/, name);
  assert.match(await page.text(), /<p>Please use a permanent email address/, name);
  console.log(name + ': answers a form post with a page');
}

async function tryNest(name, ...adapter) {
  const { Controller, Module, Post, UseGuards } = await import('@nestjs/common');
  const { NestFactory } = await import('@nestjs/core');
  class SignUp { create() { return 'welcome'; } }
  const method = Object.getOwnPropertyDescriptor(SignUp.prototype, 'create');
  Post('sign-up')(SignUp.prototype, 'create', method);
  UseGuards(nestGuard(postern))(SignUp.prototype, 'create', method);
  Controller()(SignUp);
  class App {}
  Module({ controllers: [SignUp] })(App);
  const app = await NestFactory.create(App, ...adapter, { logger: false });
  await app.listen(0, '127.0.0.1');
  servers.push(app.getHttpServer());
  const url = 'http://127.0.0.1:' + app.getHttpServer().address().port + '/sign-up';
  await expectGuarded(name, url);
  await expectPage(name, url);
}

const trials = {
  koa: async () => {
    const { default: Koa } = await import('koa');
    const { bodyParser } = await import('@koa/bodyparser');
    const app = new Koa().use(bodyParser()).use(koaGuard(postern)).use((context) => { context.body = getSignUp(context).email; });
    const server = createServer(app.callback());
    servers.push(server);
    const url = await listen(server);
    await expectGuarded('koa', url);
    await expectPage('koa', url);
  },
  h3: async () => {
    const { createApp, defineEventHandler, readBody, toNodeListener } = await import('h3');
    const app = createApp().use('/', defineEventHandler(async (event) => (await checkEvent(postern, event)) ?? (await readBody(event)).email));
    const server = createServer(toNodeListener(app));
    servers.push(server);
    await expectGuarded('h3', await listen(server));
  },
  'h3 2': async () => {
    const { H3, toNodeHandler } = await import('h3-2');
    const app = new H3().post('/', async (event) => (await checkEvent(postern, event)) ?? getSignUp(event).email);
    const server = createServer(toNodeHandler(app));
    servers.push(server);
    await expectGuarded('h3 2', await listen(server));
  },
  'nest, express': async () => tryNest('nest, express'),
  'nest, fastify': async () => {
    const { FastifyAdapter } = await import('@nestjs/platform-fastify');
    await tryNest('nest, fastify', new FastifyAdapter());
  },
  'better-auth': async () => {
    const { betterAuth } = await import('better-auth');
    const { memoryAdapter } = await import('better-auth/adapters/memory');
    const { toNodeHandler } = await import('better-auth/node');
    const { magicLink } = await import('better-auth/plugins');
    let link = '';
    const auth = betterAuth({
      logger: { disabled: true },
      baseURL: 'http://127.0.0.1', secret: 'x'.repeat(32),
      database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
      emailAndPassword: { enabled: true },
      plugins: [magicLink({ sendMagicLink: ({ url }) => { link = url; } }), betterAuthPlugin(postern)],
    });
    const server = createServer(toNodeHandler(auth));
    servers.push(server);
    const url = await listen(server);
    await expectGuarded('better-auth', url + '/api/auth/sign-up/email');
    const follow = async (email) => {
      const headers = { 'Content-Type': 'application/json', Origin: 'http://127.0.0.1' };
      await fetch(url + '/api/auth/sign-in/magic-link', { method: 'POST', headers, body: JSON.stringify({ email, callbackURL: '/in' }) });
      const { pathname, search } = new URL(link);
      return (await fetch(url + pathname + search, { redirect: 'manual' })).headers.get('location') ?? '';
    };
    assert.match(await follow('y@mailinator.com'), /error=SIGN_UP_REFUSED/);
    assert.doesNotMatch(await follow('john@example.com'), /error/);
    // Somebody who has an account is not checked again.
    assert.doesNotMatch(await follow('john@example.com'), /error/);
    console.log('better-auth: refuses a new person with a magic link too');
  },
  'auth.js': async () => {
    const { Auth } = await import('@auth/core');
    const { default: Credentials } = await import('@auth/core/providers/credentials');
    const config = {
      secret: 'x'.repeat(32), trustHost: true, basePath: '/auth', skipCSRFCheck: (await import('@auth/core')).skipCSRFCheck,
      logger: { error() {}, warn() {}, debug() {} },
      providers: [Credentials({ credentials: { email: {} }, authorize: ({ email }) => ({ id: '1', email }) })],
      callbacks: { signIn: authJsSignIn(postern, { redirectTo: '/refused' }) },
    };
    const send = async (email) => (await Auth(new Request('http://site.test/auth/callback/credentials', { method: 'POST', body: new URLSearchParams({ email }) }), config)).headers.get('location') ?? '';
    assert.match(await send('x@mailinator.com'), /refused/);
    assert.doesNotMatch(await send('jane@example.com'), /refused|error/i);
    console.log('auth.js: accepts and refuses');
  },
};
for (const [name, trial] of Object.entries(trials)) {
  try { await trial(); } catch (error) { process.exitCode = 1; console.log(name + ': ' + (error.stack ?? error)); }
}
for (const server of servers) { server.closeAllConnections(); server.close(); }
`;

const folder = await mkdtemp(join(tmpdir(), 'postern-adapters-'));
try {
  const output = join(root, 'packages/service/dist/sdk');
  const { version } = JSON.parse(await readFile(join(output, 'manifest.json'), 'utf8'));
  await writeFile(join(folder, 'package.json'), '{"name":"trial","type":"module","private":true}');
  const tarball = join(output, `postern-sdk-node-${version}.tgz`);
  await run('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', tarball, ...PACKAGES], {
    cwd: folder,
  });
  await writeFile(join(folder, 'trial.mjs'), TRIAL);
  const { stdout } = await run(process.execPath, ['trial.mjs'], { cwd: folder }).catch((error) => {
    process.exitCode = 1;
    return { stdout: `${error.stdout}${error.stderr}` };
  });
  console.log(stdout.trim());
  await writeFile(join(folder, 'typed.ts'), TYPED);
  const flags =
    '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --target es2022 --module nodenext';
  await run('npx', ['tsc', ...flags.split(' '), 'typed.ts'], { cwd: folder }).then(
    () => console.log('better-auth: the documented lines compile'),
    (error) => {
      process.exitCode = 1;
      console.log(`better-auth types: ${error.stdout}`);
    },
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
