import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { repository } from './built-sdks.ts';
import { PERMANENT, type ReadmeSetup, type SnippetRuns, THROWAWAY } from './readme-setup.ts';
import { filledIn } from './readme-snippets.ts';
import { startSite } from './site.ts';

/** The snippets for pages, in a real browser. */
export const pageRuns = (setup: ReadmeSetup): SnippetRuns => ({
  'sdk/sign-up.ts': () =>
    inPage(setup, 'sdk/sign-up.ts', "import 'SNIPPET';", protectsTheForm, {
      body: '<form id="sign-up" method="post"><label>Email <input type="email" name="email"></label><button>Sign up</button></form>',
    }),

  'sdk/page.html': async () => {
    const code = setup.snippets.find(({ id }) => id === 'sdk/page.html')?.code ?? '';
    const script = readFileSync(join(repository, 'packages/sdk/dist/postern.js'), 'utf8');
    const html = filledIn(
      code.replace(
        'https://postern.example.com/sdk/postern.js"',
        '/postern.js" data-url="https://postern.example.com"',
      ),
      setup.service.url,
    );
    await withPage(setup, { '/': html, '/postern.js': script }, protectsTheForm);
  },

  'sdk/queue.html': async () => {
    const code = setup.snippets.find(({ id }) => id === 'sdk/queue.html')?.code ?? '';
    const script = readFileSync(join(repository, 'packages/sdk/dist/postern.js'), 'utf8');
    const html = filledIn(code.replace('https://postern.example.com/sdk/', '/'), setup.service.url);
    await withPage(setup, { '/': html, '/postern.js': script }, protectsTheForm);
  },

  'sdk/own-words.ts': () =>
    inPage(
      setup,
      'sdk/own-words.ts',
      "import 'SNIPPET';",
      async (page) => {
        await page.locator('.postern-help').waitFor({ state: 'attached' });
        await submit(page, THROWAWAY);
        await page.getByText('Notaðu varanlegt netfang.').waitFor();
        await submit(page, 'janedoe@gmial.com');
        await page.getByRole('button', { name: 'Nota janedoe@gmail.com' }).waitFor();
      },
      {
        body: '<form id="sign-up" method="post"><label>Email <input type="email" name="email"></label><button>Sign up</button></form>',
      },
    ),

  'sdk/by-hand.ts': () =>
    inPage(
      setup,
      'sdk/by-hand.ts',
      "import { check } from 'SNIPPET'; Object.assign(globalThis, { check });",
      async (page) => {
        await page.waitForFunction("'check' in globalThis");
        expect(await page.evaluate("check('jane')")).toBe('not an address');
        expect(await page.evaluate(`check('${THROWAWAY}')`)).toBe(PERMANENT);
        expect(await page.evaluate("check('janedoe@gmail.com')")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      },
    ),

  'sdk/element.ts': () =>
    inPage(setup, 'sdk/element.ts', "import 'SNIPPET';", protectsTheForm, {
      body: setup.snippets.find(({ id }) => id === 'sdk/element.html')?.code ?? '',
    }),
  // It is the body of the one above.
  'sdk/element.html': async () => {},

  'sdk/sign-up.tsx': () =>
    inPage(
      setup,
      'sdk/sign-up.tsx',
      `import { createRoot } from 'react-dom/client';
      import { SignUp } from 'SNIPPET';
      createRoot(document.getElementById('root')).render(
        <SignUp onSignUp={(fields) => { document.title = fields.get('email') + ' ' + fields.get('postern-verdict').split('.').length; }} />,
      );`,
      async (page) => {
        await submit(page, THROWAWAY);
        await page.getByText(PERMANENT).waitFor();
        await submit(page, 'janedoe@gmail.com');
        await page.waitForFunction("document.title === 'janedoe@gmail.com 3'");
      },
    ),
});

async function inPage(
  setup: ReadmeSetup,
  id: string,
  wrapper: string,
  use: (page: Page) => Promise<void>,
  { body = '<div id="root"></div>' } = {},
): Promise<void> {
  const chunks = await setup.folder.forPage(id, wrapper, setup.service.url);
  const files = Object.fromEntries(chunks.map(({ fileName, code }) => [`/${fileName}`, code]));
  const html = `<!doctype html><title>Sign up</title>${body}<script type="module" src="/entry.js"></script>`;
  await withPage(setup, { '/': html, ...files }, use);
}

async function withPage(
  setup: ReadmeSetup,
  files: Record<string, string>,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const site = await startSite(files);
  const context = await setup.browser.newContext({ locale: 'en-US' });
  try {
    const page = await context.newPage();
    await page.goto(site.origin);
    await use(page);
  } finally {
    await context.close();
    await site.close();
  }
}

async function submit(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Sign up' }).click();
}

async function protectsTheForm(page: Page): Promise<void> {
  await page.locator('.postern-help').waitFor({ state: 'attached' });
  await submit(page, THROWAWAY);
  await page.getByText(PERMANENT).waitFor();
  await submit(page, 'janedoe@gmail.com');
  await page.getByText('Welcome').waitFor();
}
