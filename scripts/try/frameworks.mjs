import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isFrameworkApp, startFrameworkApp } from '../../examples/framework-app.mjs';
import { launchChromium } from '../../packages/sdk/test/support/chromium.ts';
import { freePort, openService } from './support.mjs';

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
    // A person cannot sign up twice.
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

export const parts = readdirSync(fileURLToPath(new URL('../../examples', import.meta.url))).filter(
  isFrameworkApp,
);

export async function open() {
  const { service, project, close } = await openService({ allowedDomains: ['localhost:*'] });
  const browser = await launchChromium();
  const environment = {
    POSTERN_URL: service.url,
    POSTERN_PROJECT_ID: project.id,
    POSTERN_CLIENT_KEY: project.clientKey,
    POSTERN_SERVER_KEY: project.serverKey,
    // A busy machine must not change the result.
    POSTERN_TIMEOUT_MS: '60000',
  };
  return { browser, environment, close: () => Promise.all([browser.close(), close()]) };
}

/** Builds and starts the app, and signs up in it. */
export async function tryPart(name, { browser, environment }) {
  const app = await startFrameworkApp(name, environment, await freePort());
  try {
    const withoutScript = !DRAWN_BY_SCRIPT.includes(name);
    for (const path of FORMS[name] ?? ['']) {
      if (withoutScript) await signUp(browser, `${app.url}${path}`, false);
      await signUp(browser, `${app.url}${path}`, true);
    }
    if (name === 'next')
      for (const path of ['sign-up', 'newsletter']) await tryRoute(`${app.url}/api/${path}`);
    return `accepts and refuses, ${withoutScript ? 'with and without JavaScript' : 'with JavaScript'}`;
  } finally {
    await app.stop();
  }
}
