import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quotaExceeded, rateLimited } from '@postern/contract';
import type { Express } from 'express';
import type { FastifyInstance } from 'fastify';
import type { Hono } from 'hono';
import type { Browser, Page } from 'playwright';
import { createElement, type FunctionComponent } from 'react';
import { act, create, type ReactTestRenderer } from 'react-test-renderer';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { launchChromium } from '../../sdk-browser/test/support/chromium.ts';
import { startSite } from '../../sdk-browser/test/support/site.ts';
import type { VerdictVerifier } from '../../sdk-node/src/index.ts';
import type { PosternClient as NativeClient } from '../../sdk-react-native/src/index.ts';
import { ensureBuilt, repository } from './support/built-sdks.ts';
import { filledIn, readSnippets, type SnippetFolder, writeSnippets } from './support/readme-snippets.ts';
import {
  allowed,
  blocked,
  type StubAnswer,
  type StubRequest,
  type StubService,
  startStubService,
} from './support/stub-service.ts';

const snippets = readSnippets();
let service: StubService;
let folder: SnippetFolder;
let browser: Browser;
let answer: (request: StubRequest) => StubAnswer;

const THROWAWAY = 'x@mailinator.com';
const PERMANENT = 'Please use a permanent email address.';
const byAddress = ({ body }: StubRequest) => (body.email === THROWAWAY ? blocked() : allowed());

beforeAll(async () => {
  await ensureBuilt();
  service = await startStubService((request) => answer(request));
  [folder, browser] = await Promise.all([writeSnippets(snippets), launchChromium()]);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await folder.remove();
  await service.close();
});
beforeEach(() => {
  answer = byAddress;
  service.requests.length = 0;
});

const PROJECT = 'demo';
const verdict = (email: string, claims = {}) => service.signVerdict({ email, aud: PROJECT, ...claims });

/** How each snippet is run. A snippet without an entry fails the test below. */
const runs: Record<string, () => Promise<void>> = {
  'sdk-core/validate.ts': async () => {
    await folder.inNode('sdk-core/validate.ts', service.url);
    expect(service.requests.map(({ body }) => body.email)).toEqual(['jane@gmail.com']);
  },

  'sdk-core/errors.ts': async () => {
    type Module = { explain(email: string): Promise<string> };
    const { explain } = await folder.inNode<Module>('sdk-core/errors.ts', service.url);
    expect(await explain('jane@gmail.com')).toBe('allow');
    const facts = { limit: 5, used: 5, remaining: 0, resetAt: '2030-01-01T00:00:00.000Z' };
    answer = () => ({ refusal: quotaExceeded(facts) });
    expect(await explain('jane@gmail.com')).toBe('5 of 5 used, free again 2030-01-01T00:00:00.000Z');
    answer = () => ({ refusal: rateLimited(1000, 60) });
    expect(await explain('jane@gmail.com')).toBe('come back in 60 seconds');
  },

  'sdk-browser/sign-up.ts': () =>
    inPage('sdk-browser/sign-up.ts', "import 'SNIPPET';", protectsTheForm, {
      body: '<form id="sign-up" method="post"><label>Email <input type="email" name="email"></label><button>Sign up</button></form>',
    }),

  'sdk-browser/page.html': async () => {
    const code = snippets.find(({ id }) => id === 'sdk-browser/page.html')?.code ?? '';
    const script = readFileSync(join(repository, 'packages/sdk-browser/dist/postern.js'), 'utf8');
    const html = filledIn(code.replace('https://postern.example.com/sdk/', '/'), service.url);
    await withPage({ '/': html, '/postern.js': script }, protectsTheForm);
  },

  'sdk-browser/own-words.ts': () =>
    inPage(
      'sdk-browser/own-words.ts',
      "import 'SNIPPET';",
      async (page) => {
        await page.waitForSelector('[name=postern-verdict]', { state: 'attached' });
        await submit(page, THROWAWAY);
        await page.getByText('Notaðu varanlegt netfang.').waitFor();
        await submit(page, 'jane@gmial.com');
        await page.getByRole('button', { name: 'Nota jane@gmail.com' }).waitFor();
      },
      {
        body: '<form id="sign-up" method="post"><label>Email <input type="email" name="email"></label><button>Sign up</button></form>',
      },
    ),

  'sdk-browser/by-hand.ts': () =>
    inPage(
      'sdk-browser/by-hand.ts',
      "import { check } from 'SNIPPET'; Object.assign(globalThis, { check });",
      async (page) => {
        await page.waitForFunction("'check' in globalThis");
        expect(await page.evaluate("check('jane')")).toBe('not an address');
        expect(await page.evaluate(`check('${THROWAWAY}')`)).toBe(PERMANENT);
        expect(await page.evaluate("check('jane@gmail.com')")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      },
    ),

  'sdk-react/sign-up.tsx': () =>
    inPage(
      'sdk-react/sign-up.tsx',
      `import { createRoot } from 'react-dom/client';
      import { SignUp } from 'SNIPPET';
      createRoot(document.getElementById('root')).render(
        <SignUp onSignUp={(email, verdict) => { document.title = email + ' ' + verdict.split('.').length; }} />,
      );`,
      async (page) => {
        await submit(page, THROWAWAY);
        await page.getByText(PERMANENT).waitFor();
        await submit(page, 'jane@gmail.com');
        await page.waitForFunction("document.title === 'jane@gmail.com 3'");
      },
    ),

  'sdk-react/action-form.tsx': () =>
    inPage(
      'sdk-react/action-form.tsx',
      `import { createRoot } from 'react-dom/client';
      import { ActionForm } from 'SNIPPET';
      const verdicts = new Set();
      const signUp = async (problem, fields) => {
        verdicts.add(fields.get('postern-verdict'));
        document.title = fields.get('email') + ' ' + verdicts.size;
        return 'Not yet.';
      };
      createRoot(document.getElementById('root')).render(<ActionForm signUp={signUp} />);`,
      async (page) => {
        await submit(page, THROWAWAY);
        await page.getByText(PERMANENT).waitFor();
        await submit(page, 'jane@gmail.com');
        await page.waitForFunction("document.title === 'jane@gmail.com 1'");
        await page.getByText('Not yet.').waitFor();
        await page.getByRole('button', { name: 'Sign up' }).click();
        await page.waitForFunction("document.title === 'jane@gmail.com 2'");
      },
    ),

  'sdk-react/hook-form.tsx': () =>
    inPage(
      'sdk-react/hook-form.tsx',
      `import { createRoot } from 'react-dom/client';
      import { HookForm } from 'SNIPPET';
      createRoot(document.getElementById('root')).render(
        <HookForm onSignUp={(email, verdict) => { document.title = email + ' ' + verdict.split('.').length; }} />,
      );`,
      async (page) => {
        await submit(page, THROWAWAY);
        await page.getByText(PERMANENT).waitFor();
        await submit(page, 'jane@gmail.com');
        await page.waitForFunction("document.title === 'jane@gmail.com 3'");
      },
    ),

  'sdk-react/contact-form.tsx': () =>
    inPage(
      'sdk-react/contact-form.tsx',
      `import { createRoot } from 'react-dom/client';
      import { ContactForm } from 'SNIPPET';
      createRoot(document.getElementById('root')).render(<ContactForm />);`,
      async (page) => {
        await page.getByLabel('Your address').fill('jane@gmial.com');
        await page.getByLabel('Your address').press('Tab');
        await page.getByRole('button', { name: 'Use jane@gmail.com' }).click();
        expect(await page.getByLabel('Your address').inputValue()).toBe('jane@gmail.com');
      },
    ),

  'sdk-react-native/expo-app.ts': () => namesItself('sdk-react-native/expo-app.ts', 'com.example.shop'),
  'sdk-react-native/bare-app.ts': () => namesItself('sdk-react-native/bare-app.ts', 'com.example.bank'),

  'sdk-react-native/own-id.ts': async () => {
    type Module = { posternWith(storage: unknown): NativeClient };
    const { posternWith } = await folder.inNode<Module>('sdk-react-native/own-id.ts', service.url);
    const kept = new Map<string, string>();
    const storage = {
      getItem: async (key: string) => kept.get(key) ?? null,
      setItem: async (key: string, value: string) => kept.set(key, value),
    };
    for (const start of [1, 2]) await posternWith(storage).validate(`jane${start}@gmail.com`);
    const [first, second] = service.requests.map(({ body }) => body.fingerprintHash);
    expect(first).toMatch(/^n1_/);
    expect(second).toBe(first);
  },

  'sdk-react-native/sign-up-screen.tsx': async () => {
    type Module = { SignUpScreen: FunctionComponent<{ onVerified: (sent: object) => void }> };
    const { SignUpScreen } = await folder.inNode<Module>('sdk-react-native/sign-up-screen.tsx', service.url);
    const sent: object[] = [];
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    let screen = {} as ReactTestRenderer;
    await act(async () => {
      screen = create(createElement(SignUpScreen, { onVerified: (verified) => sent.push(verified) }));
    });
    const elements = (name: string) => screen.root.findAll(({ type }) => String(type) === name);
    const submit = async (email: string) => {
      await act(async () => elements('TextInput')[0]?.props.onChangeText(email));
      await act(() => screen.root.findByProps({ title: 'Sign up' }).props.onPress());
    };
    await submit(THROWAWAY);
    expect(elements('Text')[0]?.children).toEqual([PERMANENT]);
    await submit('jane@gmial.com');
    expect(elements('Button').map(({ props }) => props.title)).toContain('Use jane@gmail.com');
    expect(sent).toEqual([]);
    await submit('jane@gmail.com');
    expect(sent).toEqual([{ email: 'jane@gmail.com', verdict: expect.stringMatching(/\./) }]);
    await act(async () => screen.unmount());
  },

  'sdk-react-native/form.ts': async () => {
    type App = { postern: NativeClient };
    type Module = { signUp(postern: NativeClient, email: string): Promise<Record<string, unknown>> };
    const { postern } = await folder.inNode<App>('sdk-react-native/expo-app.ts', service.url);
    const { signUp } = await folder.inNode<Module>('sdk-react-native/form.ts', service.url);
    expect(await signUp(postern, THROWAWAY)).toEqual({ problem: PERMANENT, suggestion: null });
    expect((await signUp(postern, 'jane@gmail.com')).verdict).toMatch(/\./);
  },

  'sdk-node/express.ts': async () => {
    const { app } = await folder.inNode<{ app: Express }>('sdk-node/express.ts', service.url);
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sign-up`;
    await guards((init) => fetch(url, init));
    await new Promise((resolve) => server.close(resolve));
  },

  'sdk-node/fastify.ts': async () => {
    const { app } = await folder.inNode<{ app: FastifyInstance }>('sdk-node/fastify.ts', service.url);
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    await guards((init) => fetch(`${url}/sign-up`, init));
    await app.close();
  },

  'sdk-node/hono.ts': async () => {
    const { app } = await folder.inNode<{ app: Hono }>('sdk-node/hono.ts', service.url);
    await guards((init) => app.request('/sign-up', init));
  },

  'sdk-node/route.ts': async () => {
    type Module = { POST(request: Request): Promise<Response> };
    const { POST } = await folder.inNode<Module>('sdk-node/route.ts', service.url);
    await guards(({ body, ...init }) => {
      const form = new URLSearchParams(JSON.parse(body) as Record<string, string>);
      return POST(new Request('http://site.example/sign-up', { method: init.method, body: form }));
    });
  },

  'sdk-node/ping.ts': async () => {
    type Module = { checkSetup: () => Promise<void> };
    const { checkSetup } = await folder.inNode<Module>('sdk-node/ping.ts', service.url);
    await checkSetup();
  },

  'sdk-node/verify.ts': async () => {
    type Module = { isWelcome(email: string, verdict: string): Promise<boolean> };
    const { isWelcome } = await folder.inNode<Module>('sdk-node/verify.ts', service.url);
    expect(await isWelcome('jane@gmail.com', verdict('jane@gmail.com'))).toBe(true);
    expect(await isWelcome('jane@gmail.com', verdict('john@gmail.com'))).toBe(false);
    const no = verdict('jane@gmail.com', { recommendation: 'block' });
    expect(await isWelcome('jane@gmail.com', no)).toBe(false);
  },

  'sdk-node/shared-replays.ts': async () => {
    type Module = { verifierWith(redis: unknown): VerdictVerifier };
    const { verifierWith } = await folder.inNode<Module>('sdk-node/shared-replays.ts', service.url);
    const keys = new Set<string>();
    const redis = {
      set: async (key: string) => (keys.has(key) ? null : keys.add(key) && 'OK'),
    };
    const token = verdict('jane@gmail.com');
    const results = [];
    for (const verifier of [verifierWith(redis), verifierWith(redis)]) {
      results.push(await verifier.verifyVerdict(token, { email: 'jane@gmail.com' }));
    }
    expect(results).toMatchObject([{ ok: true }, { ok: false, reason: 'replayed' }]);
  },

  'sdk-node/ask.ts': async () => {
    const { server } = await folder.inNode<{ server: Server }>('sdk-node/ask.ts', service.url);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const response = await fetch(`${url}/?email=jane@gmail.com`, {
      headers: { 'User-Agent': 'Mozilla/5.0' },
    });
    expect(await response.text()).toBe('allow');
    expect(service.requests[0]?.body).toMatchObject({ ip: '127.0.0.1', userAgent: 'Mozilla/5.0' });
    await new Promise((resolve) => server.close(resolve));
  },

  'sdk-node/outcomes.ts': async () => {
    type Module = { onChargeback(email: string): Promise<void>; onShutdown(): Promise<void> };
    answer = () => ({ status: 200, text: '{"recorded":1,"unknown":[]}' });
    const { onChargeback, onShutdown } = await folder.inNode<Module>('sdk-node/outcomes.ts', service.url);
    await onChargeback('mallory@gmail.com');
    await onShutdown();
    const outcomes = [{ email: 'mallory@gmail.com', outcome: 'bad', reason: 'chargeback' }];
    expect(service.requests).toMatchObject([{ path: '/v1/outcomes', body: { outcomes } }]);
  },

  'sdk-node/webhook.ts': async () => {
    type Module = { POST(request: Request): Promise<Response> };
    const { POST } = await folder.inNode<Module>('sdk-node/webhook.ts', service.url);
    const key = Buffer.from('a secret for this test');
    vi.stubEnv('POSTERN_WEBHOOK_SECRET', `whsec_${key.toString('base64')}`);
    const body = JSON.stringify({ type: 'test.ping', timestamp: new Date().toISOString(), data: {} });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');
    const send = (sent: string) =>
      POST(
        new Request('http://shop.example/hook', {
          method: 'POST',
          body: sent,
          headers: {
            'webhook-id': 'msg_1',
            'webhook-timestamp': timestamp,
            'webhook-signature': `v1,${signature}`,
          },
        }),
      );
    expect((await send(body)).status).toBe(204);
    expect((await send(`${body} `)).status).toBe(400);
    vi.unstubAllEnvs();
  },
};

it.each(snippets.map(({ id }) => id))('%s runs and does what the README says', async (id) => {
  const run = runs[id];
  if (run === undefined) throw new Error(`There is no run for ${id}`);
  await run();
});

it('every run has a snippet', () => {
  expect(Object.keys(runs).sort()).toEqual(snippets.map(({ id }) => id).sort());
});

it('the snippets compile, and so do the SDKs’ declarations', async () => {
  const files = snippets.filter(({ id }) => /\.tsx?$/.test(id)).map(({ id }) => id);
  const config = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      target: 'es2022',
      module: 'nodenext',
      jsx: 'react-jsx',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: ['node'],
      typeRoots: [join(repository, 'node_modules/@types')],
      // The frameworks’ own declarations are not checked. Ours are checked below.
      skipLibCheck: true,
    },
    files: [...files, join(repository, 'packages/sdk-react-native/src/peer-modules.d.ts')],
  };
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
  const imports = ['core', 'browser', 'react', 'react-native', 'node'].map(
    (name, index) => `export * as m${index} from '@postern/sdk-${name}';`,
  );
  await writeFile(join(folder.path, 'declarations.ts'), imports.join('\n'));
  const alone = {
    compilerOptions: { ...config.compilerOptions, skipLibCheck: false },
    files: ['declarations.ts'],
  };
  await writeFile(join(folder.path, 'tsconfig.alone.json'), JSON.stringify(alone));
  expect(await tsc('tsconfig.json')).toBe('');
  expect(await tsc('tsconfig.alone.json')).toBe('');
});

async function tsc(project: string): Promise<string> {
  const command = join(repository, 'node_modules/.bin/tsc');
  const { stdout } = await promisify(execFile)(command, ['-p', join(folder.path, project)]).catch(
    (failed: Error & { stdout: string }) => ({ stdout: failed.stdout || failed.message }),
  );
  return stdout;
}

async function inPage(
  id: string,
  wrapper: string,
  use: (page: Page) => Promise<void>,
  { body = '<div id="root"></div>' } = {},
): Promise<void> {
  const chunks = await folder.forPage(id, wrapper, service.url);
  const files = Object.fromEntries(chunks.map(({ fileName, code }) => [`/${fileName}`, code]));
  const html = `<!doctype html><title>Sign up</title>${body}<script type="module" src="/entry.js"></script>`;
  await withPage({ '/': html, ...files }, use);
}

async function withPage(files: Record<string, string>, use: (page: Page) => Promise<void>): Promise<void> {
  const site = await startSite(files);
  const context = await browser.newContext({ locale: 'en-US' });
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
  await page.waitForSelector('[name=postern-verdict]', { state: 'attached' });
  await submit(page, THROWAWAY);
  await page.getByText(PERMANENT).waitFor();
  await submit(page, 'jane@gmail.com');
  await page.getByText('Welcome').waitFor();
}

async function namesItself(id: string, appId: string): Promise<void> {
  const { postern } = await folder.inNode<{ postern: NativeClient }>(id, service.url);
  await postern.validate('jane@gmail.com');
  expect(service.requests[0]?.headers.origin).toBe(`app://${appId}`);
}

type Post = (init: {
  method: 'POST';
  headers: Record<string, string>;
  body: string;
}) => Promise<Response> | Response;

async function guards(post: Post): Promise<void> {
  const send = (fields: Record<string, string>) =>
    post({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(fields) });
  const email = 'jane@gmail.com';
  const welcome = await send({ email, 'postern-verdict': verdict(email) });
  expect([welcome.status, await welcome.json()]).toMatchObject([200, { welcome: email }]);
  const refused = await send({ email: THROWAWAY });
  expect([refused.status, await refused.json()]).toEqual([422, { error: PERMANENT }]);
  const lied = await send({ email: THROWAWAY, 'postern-verdict': verdict(email) });
  expect(lied.status).toBe(422);
}
