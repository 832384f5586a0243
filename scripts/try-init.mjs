// node scripts/try-init.mjs [NAME…]: makes a fresh project, with the framework’s own generator where it has one, outside of the checkout, runs
// `npx URL/sdk/init.tgz` of a real service in it, and signs up in a real browser. Prints the seconds from the command to a form that
// refuses a throwaway address. Too heavy for `npm test`. POSTERN_TRY_NODE is a folder with a newer `node`, for generators that need it.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import './typescript.mjs';

const { launchChromium } = await import('../packages/sdk-browser/test/support/chromium.ts');
const { startService } = await import('../packages/service/test/support/service.ts');

const REFUSED = 'Please use a permanent email address.';
const NEWER = process.env.POSTERN_TRY_NODE;
const env = {
  ...process.env,
  ...(NEWER && { PATH: `${NEWER}${delimiter}${process.env.PATH}` }),
  ...Object.fromEntries(['NEXT', 'ASTRO', 'NUXT'].map((name) => [`${name}_TELEMETRY_DISABLED`, '1'])),
  NG_CLI_ANALYTICS: 'false',
  // A busy machine must not change the result.
  POSTERN_TIMEOUT_MS: '60000',
  CI: '1',
};
const INSTALL = ['npm', 'install', '--no-audit', '--no-fund', '--legacy-peer-deps'];
const EXPRESS = `import express from 'express';

const app = express();
app.use(express.urlencoded({ extended: false }));
app.use(express.static('public'));

app.post('/sign-up', (request, response) => {
  response.json({ welcome: request.body.email });
});

app.listen(Number(process.env.PORT));
`;
const PAGE =
  '<!doctype html><html lang="en"><title>Hi</title><body><form id="join" method="post" action="/sign-up"><label>Email <input type="email" name="email"></label><button>Sign up</button></form></body></html>';
const vite = (template) => [
  'npx',
  '--yes',
  'create-vite@latest',
  'app',
  '--template',
  template,
  '--no-interactive',
];

/** `create` makes the folder `app`; `write` puts the form into a page; `start` gets the port; `path` is the form’s page. */
const FRAMEWORKS = {
  express: {
    files: {
      'package.json': JSON.stringify({ type: 'module', dependencies: { express: '5' } }),
      'server.js': EXPRESS,
      'public/index.html': PAGE,
    },
    start: () => ['node', '--env-file=.env', 'server.js'],
  },
  react: {
    create: vite('react-ts'),
    write: {
      'src/App.tsx':
        "import { SignUpForm } from './SignUpForm';\n\nexport default function App() {\n  return <SignUpForm />;\n}\n",
    },
    build: ['npm', 'run', 'build'],
    start: (port) => ['npx', 'vite', 'preview', '--port', port],
    isPage: true,
  },
  vue: {
    create: vite('vue-ts'),
    write: {
      'src/App.vue':
        '<script setup lang="ts">\nimport SignUpForm from \'./components/SignUpForm.vue\';\n</script>\n\n<template><SignUpForm /></template>\n',
    },
    build: ['npm', 'run', 'build'],
    start: (port) => ['npx', 'vite', 'preview', '--port', port],
    isPage: true,
  },
  angular: {
    create: [
      'npx',
      '--yes',
      '@angular/cli@latest',
      'new',
      'app',
      '--skip-git',
      '--skip-install',
      '--defaults',
      '--style=css',
      '--ssr=false',
    ],
    write: {
      'src/app/app.ts':
        "import { Component } from '@angular/core';\nimport { SignUpForm } from './sign-up-form';\n\n@Component({ selector: 'app-root', imports: [SignUpForm], template: '<app-sign-up-form />' })\nexport class App {}\n",
    },
    build: ['npx', 'ng', 'build'],
    start: (port) => ['npx', '--yes', 'vite@7', 'preview', '--outDir', 'dist/app/browser', '--port', port],
    isPage: true,
  },
  next: {
    create: [
      'npx',
      '--yes',
      'create-next-app@latest',
      'app',
      '--ts',
      '--app',
      '--src-dir',
      '--no-tailwind',
      '--no-linter',
      '--use-npm',
      '--skip-install',
      '--disable-git',
      '--yes',
    ],
    // The generator’s layout downloads fonts.
    write: {
      'src/app/layout.tsx':
        'export default function Layout({ children }: { children: React.ReactNode }) {\n  return <html lang="en"><body>{children}</body></html>;\n}\n',
    },
    build: ['npx', 'next', 'build'],
    start: (port) => ['npx', 'next', 'start', '--port', port],
    path: '/sign-up',
  },
  sveltekit: {
    create: [
      'npx',
      '--yes',
      'sv@latest',
      'create',
      'app',
      '--template',
      'minimal',
      '--types',
      'ts',
      '--no-add-ons',
      '--no-install',
    ],
    start: (port) => ['npx', 'vite', 'dev', '--port', port],
    path: '/sign-up',
  },
  // Its generator downloads the template from GitHub, which not every machine reaches. These are the template’s files.
  nuxt: {
    files: {
      'package.json': JSON.stringify({
        type: 'module',
        private: true,
        dependencies: { nuxt: '^4.5.0', vue: '^3.5.0', 'vue-router': 'latest' },
      }),
      'nuxt.config.ts': 'export default defineNuxtConfig({ devtools: { enabled: true } });\n',
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./.nuxt/tsconfig.json" }] }\n',
      'app/app.vue': '<template>\n  <NuxtWelcome />\n</template>\n',
    },
    write: { 'app/app.vue': '<template>\n  <SignUpForm />\n</template>\n' },
    build: ['npx', 'nuxt', 'build'],
    start: () => ['node', '--env-file=.env', '.output/server/index.mjs'],
  },
  nest: {
    create: [
      'npx',
      '--yes',
      '@nestjs/cli@latest',
      'new',
      'app',
      '--skip-git',
      '--skip-install',
      '--package-manager',
      'npm',
    ],
    build: ['npx', 'nest', 'build'],
    start: () => ['node', '--env-file=.env', 'dist/main.js'],
    isBackend: true,
  },
};

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

async function runToEnd([command, ...args], cwd) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${printed.slice(-3_000)}`);
}

async function writeAll(folder, files = {}) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function answering(child, url) {
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  for (let tries = 0; tries < 1_200; tries += 1) {
    if (child.exitCode !== null)
      throw new Error(`The app ended with ${child.exitCode}:\n${printed.slice(-3_000)}`);
    const answer = await fetch(url).catch(() => null);
    if (answer !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The app does not answer:\n${printed.slice(-3_000)}`);
}

/** Refused in the page; a good address is sent with its verdict. */
async function signUp(browser, url) {
  const page = await browser.newPage({ locale: 'en-US' });
  try {
    await page.goto(url, { waitUntil: 'networkidle' });
    const submit = async (email) => {
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Sign up' }).click();
    };
    await submit('x@mailinator.com');
    await page.getByText(REFUSED).first().waitFor({ timeout: 60_000 });
    const refusedAt = performance.now();
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().startsWith(new URL(url).origin),
      { timeout: 60_000 },
    );
    await submit('jane.doe@gmail.com');
    const body = new URLSearchParams((await sent).postData() ?? '');
    const verdict = body.get('postern-verdict') ?? '';
    if (verdict.split('.').length !== 3) throw new Error(`The form was sent with the verdict “${verdict}”`);
    return refusedAt;
  } finally {
    await page.close();
  }
}

async function tryBackend(url) {
  const send = (email) => fetch(`${url}/sign-up`, { method: 'POST', body: new URLSearchParams({ email }) });
  const [refused, accepted] = [await send('x@mailinator.com'), await send('jane.doe@gmail.com')];
  if (refused.status !== 422 || !accepted.ok)
    throw new Error(`answered ${refused.status} and ${accepted.status}`);
}

async function tryInit(name, service, project, browser) {
  const { create, files, write, build, start, path = '/', isPage, isBackend } = FRAMEWORKS[name];
  const work = await mkdtemp(join(tmpdir(), `postern-init-${name}-`));
  const folder = create === undefined ? work : join(work, 'app');
  let child = null;
  try {
    if (create !== undefined) await runToEnd(create, work);
    await writeAll(folder, files);
    if (name === 'angular') await pinAngular(folder);
    await runToEnd(INSTALL, folder);
    const started = performance.now();
    const keys = [
      '--project',
      project.id,
      '--client-key',
      project.clientKey,
      '--server-key',
      project.serverKey,
    ];
    await runToEnd(['npx', '--yes', `${service.url}/sdk/init.tgz`, '--yes', ...keys], folder);
    await runToEnd(INSTALL, folder);
    await writeAll(folder, write);
    if (build !== undefined) await runToEnd(build, folder);
    const port = await freePort();
    const [command, ...args] = start(port);
    child = spawn(command, args, {
      cwd: folder,
      env: { ...env, PORT: port, HOST: 'localhost', NITRO_PORT: port, NITRO_HOST: 'localhost' },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const url = `http://localhost:${port}`;
    await answering(child, url);
    const refusedAt = isBackend ? performance.now() : await signUp(browser, `${url}${path}`);
    if (!isPage && name !== 'sveltekit')
      await tryBackend(name === 'next' || name === 'nuxt' ? `${url}/api` : url);
    console.log(
      `${name}: ${Math.round((refusedAt - started) / 1000)} s from the command to a refused throwaway address`,
    );
  } finally {
    if (child !== null && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await rm(work, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Its packages want each other in exactly one version, and a registry may not have the newest of each yet. */
async function pinAngular(folder) {
  const path = join(folder, 'package.json');
  const text = await readFile(path, 'utf8');
  const pinned = text.replace(/("@angular\/(?!build|cli)[a-z-]+": )"\^(22\.2)\.0"/g, '$1"$2.5"');
  const manifest = JSON.parse(pinned);
  for (const tool of ['vitest', 'jsdom', 'prettier']) delete manifest.devDependencies[tool];
  await writeFile(path, JSON.stringify(manifest, null, 2));
}

const asked = process.argv.slice(2);
const names = asked.length === 0 ? Object.keys(FRAMEWORKS) : asked;
const service = await startService();
const browser = await launchChromium();
try {
  const project = await service.makeProject({ allowedDomains: ['localhost:*'] });
  for (const name of names) {
    try {
      await tryInit(name, service, project, browser);
    } catch (error) {
      process.exitCode = 1;
      console.log(`${name}: ${error.message}`);
    }
  }
} finally {
  await browser.close();
  await service.close();
}
