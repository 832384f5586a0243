import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { parseAst } from 'rolldown/parseAst';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SDK_VERSION } from '../../sdk-core/src/sdk-version.ts';
import { repository } from '../../sdk-core/test/support/built-sdks.ts';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { readProject } from '../src/init/project.ts';
import { runInit } from '../src/init/run-init.ts';
import { TEMPLATES } from '../src/init/templates.ts';
import { EXPRESS, FIXTURES, manifest } from './support/init-fixtures.ts';

const run = promisify(execFile);
let service: TestService;
let project: TestProject;
let work: string;

beforeAll(async () => {
  [service, work] = await Promise.all([startService(), mkdtemp(join(tmpdir(), 'postern-init-'))]);
  project = await service.makeProject();
});
afterAll(async () => {
  await service.close();
  await rm(work, { recursive: true, force: true });
});

function writeFixture(name: string): string {
  const folder = join(work, name.replaceAll(' ', '-'));
  for (const [path, text] of Object.entries(FIXTURES[name]?.files ?? {})) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Every file of a folder with its content. */
function tree(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(folder, path), readFileSync(path, 'utf8')];
    }),
  );
}

const init = (folder: string, ...args: string[]) => initFrom('/nowhere/init.js', folder, ...args);

async function initFrom(script: string, folder: string, ...args: string[]) {
  const lines: string[] = [];
  const code = await runInit(args, {
    folder,
    script,
    environment: {},
    isInteractive: false,
    print: (line) => lines.push(line),
  });
  return { code, text: lines.join('\n') };
}

const keys = () => [
  '--project',
  project.id,
  '--client-key',
  project.clientKey,
  '--server-key',
  project.serverKey,
];

describe.each(Object.keys(FIXTURES))('in a project with %s', (name) => {
  it('shows and writes everything once, and puts it back', async () => {
    const folder = writeFixture(name);
    const before = tree(folder);
    const args = ['--url', service.url, ...keys()];
    const shown = await init(folder, ...args, '--dry-run');
    expect(shown.text).toMatch(/^Found (a page without a framework|[A-Z].* installed with \w+)\.\n/);
    expect(tree(folder)).toEqual(before);
    expect((await init(folder, ...args)).text).toContain('Add --yes');
    expect(tree(folder)).toEqual(before);

    const written = await init(folder, ...args, '--yes');
    expect(written.code).toBe(0);
    // Node 20 runs no TypeScript.
    expect(written.text).not.toMatch(/\bnode .*\.ts$/m);
    const after = tree(folder);
    for (const [path, wanted] of Object.entries(FIXTURES[name]?.writes ?? {})) {
      expect(after[path], path).toMatch(wanted);
      expect(shown.text).toContain(`+++ ${path}`);
      if (!/\.(ts|tsx|c?js|jsx)$/.test(path)) continue;
      const lang = path.split('.').at(-1)?.replace('cjs', 'js') as 'ts' | 'tsx' | 'js' | 'jsx';
      expect(() => parseAst(after[path] ?? '', { lang }), path).not.toThrow();
    }
    // A page has no server key.
    const isPage = /plain|Vite|angular/.test(name);
    if (isPage) expect(Object.values(after).join()).not.toContain(project.serverKey);
    else {
      expect(after['package.json']).toContain(`"@postern/sdk-node": "${service.url}/sdk/postern-sdk-node-`);
      expect(after['.env']).toContain(`POSTERN_SERVER_KEY=${project.serverKey}\n`);
      for (const [path] of Object.entries(after).filter(([, text]) => text.includes(project.serverKey))) {
        expect(after['.gitignore'], path).toMatch(new RegExp(`^\\${path}(\\*|$)`, 'm'));
      }
    }
    expect((await init(folder, ...args, '--yes')).text).toContain('Everything is there already.');
    expect((await init(folder, '--undo')).text).toContain('as it was');
    expect(tree(folder)).toEqual(before);
  });
});

/** The example gets its settings from its server. */
const OWN_FILES = ['examples/angular/src/app/postern.ts'];
const examples = Object.entries(TEMPLATES).filter(([name]) =>
  existsSync(join(repository, 'examples', name, 'package.json')),
);

it('the examples, which the guides quote, have the files that the command writes', async () => {
  expect(examples.length).toBeGreaterThanOrEqual(8);
  const facts = { url: service.url, files: [], projectId: '', clientKey: '', serverKey: '' };
  for (const [name, template] of examples) {
    const files = template.files(readProject(join(repository, 'examples', name)), facts);
    for (const [path, text] of files.map(([path, text]) => [`examples/${name}/${path}`, text] as const)) {
      // After a change of a template: npx vitest run packages/sdk-node/test/init.test.ts --update
      if (!OWN_FILES.includes(path)) await expect(text).toMatchFileSnapshot(join(repository, path));
    }
  }
});

it('finds the service’s address in the folder that `pnpm dlx` made', async () => {
  const noted = { dependencies: { '@postern/sdk-node': `${service.url}/sdk/init.tgz` } };
  writeFileSync(join(work, 'package.json'), JSON.stringify(noted));
  const script = join(work, 'node_modules/.pnpm/sdk-node/init.js');
  const { text } = await initFrom(script, writeFixture('koa'), '--dry-run');
  expect(text).toContain(`+ POSTERN_URL=${service.url}\n`);
});

it('undo leaves a file alone that somebody has changed since', async () => {
  const folder = writeFixture('koa');
  await init(folder, '--url', service.url, '--yes');
  const env = join(folder, '.env');
  writeFileSync(env, 'POSTERN_SERVER_KEY=mine\n');
  expect((await init(folder, '--undo')).text).toContain('files that have changed since: .env');
  expect(readFileSync(env, 'utf8')).toBe('POSTERN_SERVER_KEY=mine\n');
  expect(readFileSync(join(folder, 'app.js'), 'utf8')).toBe(FIXTURES.koa?.files['app.js']);
  // The key stays out of the repository.
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toMatch(/^\.env$/m);
});

it.each([
  [['--url', 'http://127.0.0.1:9'], 'does not answer at http://127.0.0.1:9'],
  [[], 'Say where Postern runs'],
  [['--colour'], 'colour'],
])('%j is a mistake that it explains', async (args, words) => {
  const { code, text } = await init(writeFixture('express'), ...args);
  expect(code).toBe(2);
  expect(text).toContain(words);
});

it('npx runs it from the service’s address, and the form’s backend then refuses a throwaway address', async () => {
  const folder = join(work, 'with-npx');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), manifest({ express: '5.0.0' }));
  writeFileSync(join(folder, 'server.js'), EXPRESS);
  const env = {
    ...process.env,
    npm_config_cache: join(work, 'npm-cache'),
    npm_config_registry: 'http://127.0.0.1:9',
  };
  const page = await fetch(`${service.url}/sdk`, { headers: { Accept: 'text/html' } });
  const address = /npx (http\S+-[0-9a-f]{16}\.tgz)/.exec(await page.text())?.[1] ?? '';
  const sizes = [address, `${service.url}/sdk/init.tgz`].map(
    async (url) => (await (await fetch(url)).blob()).size,
  );
  expect((await sizes[0]) === (await sizes[1])).toBe(true);
  const { stdout } = await run('npx', ['--yes', address, '--yes', ...keys()], {
    cwd: folder,
    env,
  });
  // It found the service by itself.
  expect(stdout).toContain(`+ POSTERN_URL=${service.url}`);
  const installed = join(folder, 'node_modules/@postern/sdk-node');
  mkdirSync(installed, { recursive: true });
  symlinkSync(join(repository, 'node_modules/express'), join(folder, 'node_modules/express'));
  const archive = join(repository, `packages/service/dist/sdk/postern-sdk-node-${SDK_VERSION}.tgz`);
  await run('tar', ['xzf', archive, '-C', installed, '--strip-components=1']);
  const app = spawn(process.execPath, ['--env-file=.env', 'server.js'], {
    cwd: folder,
    env: { PATH: process.env.PATH, POSTERN_TIMEOUT_MS: '60000' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = await new Promise<string>((resolve, reject) => {
      app.stdout.on('data', (chunk: Buffer) => {
        const found = /port (\d+)/.exec(chunk.toString())?.[1];
        if (found !== undefined) resolve(found);
      });
      app.once('exit', () => reject(new Error('The app ended')));
    });
    const signUp = (email: string) =>
      fetch(`http://127.0.0.1:${port}/sign-up`, { method: 'POST', body: new URLSearchParams({ email }) });
    expect((await signUp('x@mailinator.com')).status).toBe(422);
    expect(await (await signUp('jane.doe@gmail.com')).json()).toEqual({ welcome: 'jane.doe@gmail.com' });
  } finally {
    app.kill();
  }
});
