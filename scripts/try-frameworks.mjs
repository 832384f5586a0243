// node scripts/try-frameworks.mjs [NAME…]: installs each framework example from npm outside of the checkout, builds and
// starts it against a real service, and signs up in a real browser, with and without JavaScript. Too heavy for `npm test`.
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import './typescript.mjs';
import { isFrameworkApp, startFrameworkApp } from '../examples/framework-app.mjs';

const { launchChromium } = await import('../packages/sdk/test/support/chromium.ts');
const { startService } = await import('../packages/service/test/support/service.ts');

const examples = readdirSync(fileURLToPath(new URL('../examples', import.meta.url)));
const all = examples.filter(isFrameworkApp);
const asked = process.argv.slice(2);
const names = asked.length === 0 ? all : asked;
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${all.join(', ')}`);
  process.exit(2);
}

const THROWAWAY = 'x@mailinator.com';
const REFUSED = 'Please use a permanent email address.';
/** Pages that only a script draws. */
const DRAWN_BY_SCRIPT = ['angular', 'vue'];
/** Where the forms are, if not at the top. Next has one with a server action and one with a route handler. */
const FORMS = {
  next: ['/', '/sign-up'],
  sveltekit: ['/sign-up'],
  astro: ['/sign-up'],
  'react-router': ['/sign-up'],
};

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function shown(page, text) {
  const found = page.getByText(text).filter({ visible: true }).first();
  await found.waitFor({ timeout: 60_000 }).catch(async () => {
    throw new Error(`“${text}” did not appear at ${page.url()}, but: ${await page.innerText('body')}`);
  });
}

let people = 0;

async function signUp(browser, url, javaScriptEnabled) {
  const context = await browser.newContext({ locale: 'en-US', javaScriptEnabled });
  try {
    const page = await context.newPage();
    const submit = async (email) => {
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Sign up' }).click();
    };
    await page.goto(url, { waitUntil: 'networkidle' });
    let posted = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().startsWith(new URL(url).origin)) posted += 1;
    });
    await submit(THROWAWAY);
    await shown(page, REFUSED);
    const wanted = javaScriptEnabled ? 0 : 1;
    if (posted !== wanted) throw new Error(`The form was posted ${posted} times, not ${wanted}`);
    if (!javaScriptEnabled) await page.goto(url);
    // Nobody can sign up twice.
    people += 1;
    const email = `jane.doe.${people}@gmail.com`;
    await submit(email);
    await shown(page, new RegExp(`Welcome, ${email}!|"welcome":"${email}"`));
  } finally {
    await context.close();
  }
}

/** Next’s other ways: a route handler, and a proxy (middleware) before one. */
async function tryRoute(url) {
  const send = (email) => fetch(url, { method: 'POST', body: new URLSearchParams({ email }) });
  const [refused, accepted] = [await send(THROWAWAY), await send('jane.doe@gmail.com')];
  const got = `${refused.status} ${accepted.status} ${await accepted.text()}`;
  if (got !== '422 200 {"welcome":"jane.doe@gmail.com"}') throw new Error(`${url} answered ${got}`);
}

async function tryApp(name, environment, browser) {
  const started = performance.now();
  const app = await startFrameworkApp(name, environment, await freePort());
  const builtSeconds = Math.round((performance.now() - started) / 1000);
  try {
    const withoutScript = !DRAWN_BY_SCRIPT.includes(name);
    for (const path of FORMS[name] ?? ['']) {
      if (withoutScript) await signUp(browser, `${app.url}${path}`, false);
      await signUp(browser, `${app.url}${path}`, true);
    }
    if (name === 'next') {
      for (const path of ['sign-up', 'newsletter']) await tryRoute(`${app.url}/api/${path}`);
    }
    const ways = withoutScript ? 'with and without JavaScript' : 'with JavaScript';
    console.log(`${name}: accepts and refuses, ${ways} (ready after ${builtSeconds} s)`);
  } finally {
    await app.stop();
  }
}

const service = await startService();
const browser = await launchChromium();
try {
  const project = await service.makeProject({ allowedDomains: ['localhost:*'] });
  const environment = {
    POSTERN_URL: service.url,
    POSTERN_PROJECT_ID: project.id,
    POSTERN_CLIENT_KEY: project.clientKey,
    POSTERN_SERVER_KEY: project.serverKey,
    // A busy machine must not change the result.
    POSTERN_TIMEOUT_MS: '60000',
  };
  // One after the other: each build wants a whole machine.
  for (const name of names) {
    try {
      await tryApp(name, environment, browser);
    } catch (error) {
      process.exitCode = 1;
      console.log(`${name}: ${error.message}`);
    }
  }
} finally {
  await browser.close();
  await service.close();
}
