import { archiveUrl, inProject, install, openService, run } from './support.mjs';

/** What every program here starts with. Its lines come from the settings in the environment. */
const START = `
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { betterAuthPlugin, checkEvent, createPosternServerClient, getSignUp, nestGuard } from 'postern~sdk-node';

const postern = createPosternServerClient({ timeoutMs: 60_000 });
const listen = (listener) => new Promise((resolve) => {
  const server = createServer(listener).listen(0, '127.0.0.1', () => resolve('http://127.0.0.1:' + server.address().port));
});
const headers = { 'Content-Type': 'application/json', Origin: 'http://127.0.0.1' };
const post = (url, body) => fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });

async function expectGuarded(url) {
  const good = await post(url, { email: 'jane.doe@gmail.com' });
  assert.ok(good.status < 300, 'good: ' + good.status + ' ' + await good.text());
  const bad = await post(url, { email: 'x@mailinator.com' });
  assert.equal(bad.status, 422);
  assert.match(await bad.text(), /permanent email address/);
  const form = { method: 'POST', headers: { Accept: 'text/html,*/*;q=0.8' }, body: new URLSearchParams({ email: 'x@mailinator.com' }) };
  const page = await fetch(url, form);
  assert.equal(page.status, 422);
  assert.match(await page.text(), /<p>Please use a permanent email address/);
}
`;

const TRIALS = {
  'h3 2': {
    packages: ['h3@2'],
    program: `
const { H3, toNodeHandler } = await import('h3');
const app = new H3().post('/', async (event) => (await checkEvent(postern, event)) ?? getSignUp(event).email);
await expectGuarded(await listen(toNodeHandler(app)));
`,
  },
  'nest with fastify': {
    packages: ['@nestjs/common@12', '@nestjs/core@12', '@nestjs/platform-fastify@12', 'rxjs@7'],
    program: `
const { Controller, Module, Post, UseGuards } = await import('@nestjs/common');
const { NestFactory } = await import('@nestjs/core');
const { FastifyAdapter } = await import('@nestjs/platform-fastify');
class SignUp { create() { return 'welcome'; } }
const method = Object.getOwnPropertyDescriptor(SignUp.prototype, 'create');
Post('sign-up')(SignUp.prototype, 'create', method);
UseGuards(nestGuard(postern))(SignUp.prototype, 'create', method);
Controller()(SignUp);
class App {}
Module({ controllers: [SignUp] })(App);
const app = await NestFactory.create(App, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
await expectGuarded('http://127.0.0.1:' + app.getHttpServer().address().port + '/sign-up');
`,
  },
  'magic links of better-auth': {
    packages: ['better-auth@1.7.7', 'typescript@5.9', '@types/node@22'],
    program: `
const { betterAuth } = await import('better-auth');
const { memoryAdapter } = await import('better-auth/adapters/memory');
const { toNodeHandler } = await import('better-auth/node');
const { magicLink } = await import('better-auth/plugins');
let link = '';
const auth = betterAuth({
  logger: { disabled: true },
  baseURL: 'http://127.0.0.1', secret: 'x'.repeat(32),
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  plugins: [magicLink({ sendMagicLink: ({ url }) => { link = url; } }), betterAuthPlugin(postern)],
});
const url = await listen(toNodeHandler(auth));
const follow = async (email) => {
  await post(url + '/api/auth/sign-in/magic-link', { email, callbackURL: '/in' });
  const { pathname, search } = new URL(link);
  return (await fetch(url + pathname + search, { redirect: 'manual' })).headers.get('location') ?? '';
};
assert.match(await follow('y@mailinator.com'), /error=SIGN_UP_REFUSED/);
assert.doesNotMatch(await follow('john.doe@gmail.com'), /error/);
// A person with an account is not checked again.
assert.doesNotMatch(await follow('john.doe@gmail.com'), /error/);
`,
    /** The documented lines, as a strict TypeScript project has them. */
    typed: `
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
`,
  },
};
const STRICT =
  '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --target es2022 --module nodenext';

export const parts = Object.keys(TRIALS);
export const open = () => openService();

export async function tryPart(name, { service, project }) {
  const { packages, program, typed } = TRIALS[name];
  const env = {
    ...process.env,
    POSTERN_URL: service.url,
    POSTERN_PROJECT_ID: project.id,
    POSTERN_SERVER_KEY: project.serverKey,
  };
  const files = { 'trial.mjs': `${START}${program}process.exit();\n`, 'typed.mts': typed ?? '' };
  await inProject(files, async (cwd) => {
    await install(cwd, [archiveUrl(service, 'sdk-node'), 'reflect-metadata', ...packages]);
    await run(process.execPath, ['trial.mjs'], { cwd, env });
    if (typed !== undefined) await run('npx', ['tsc', ...STRICT.split(' '), 'typed.mts'], { cwd });
  });
  return `accepts and refuses${typed === undefined ? '' : ', and the documented lines compile'}`;
}
