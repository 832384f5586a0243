import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../packages/sdk/test/support/built-sdks.ts';
import { launchChromium } from '../packages/sdk/test/support/chromium.ts';
import { member } from '../packages/service/test/support/dashboard.ts';
import { ordinaryMail } from '../packages/service/test/support/dns-server.ts';
import { freePort } from '../packages/service/test/support/free-port.ts';
import {
  KNOWN_MAIL,
  startService,
  type TestProject,
  type TestService,
} from '../packages/service/test/support/service.ts';
import { readCodeBlocks, unusedRules } from './test/code-blocks.mjs';

interface Block {
  readonly file: string;
  readonly heading: string;
  readonly language: string;
  readonly code: string;
  readonly by?: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const blocks = readCodeBlocks() as Block[];
const mine = blocks.filter(({ by }) => by === 'scripts/code-blocks.test.ts');
const nameOf = ({ file, heading, code }: Block) => `${file}, ${heading}: ${code.split('\n')[0]}`;

let service: TestService;
let demo: TestProject;
let shop: TestProject;
let folder: string;

beforeAll(async () => {
  await ensureBuilt();
  service = await startService({ zone: { ...KNOWN_MAIL, ...ordinaryMail('mailinator.com') } });
  [demo, shop] = [
    await service.makeProject({ id: 'demo', allowedDomains: ['localhost:*'] }),
    await service.makeProject({ id: 'shop', allowedDomains: ['shop.example'] }),
  ];
  folder = await mkdtemp(join(tmpdir(), 'postern-blocks-'));
  // `npx postern` as the docs write it, without npm’s own start-up.
  const npx = join(folder, 'bin', 'npx');
  await mkdir(join(folder, 'bin'));
  await writeFile(
    npx,
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${root}packages/cli/bin/postern.mjs" "$@"\n`,
  );
  await chmod(npx, 0o755);
  await writeFile(
    join(folder, 'chargebacks.csv'),
    'email,outcome,reason\nmallory@gmail.com,bad,chargeback\n',
  );
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** The block with this machine’s addresses, keys and folders. */
function filledIn(code: string, project: TestProject): string {
  return (
    code
      .replaceAll('http://127.0.0.1:8080', service.url)
      .replaceAll(/YOUR_SERVER_KEY|pst_server_live_…/g, project.serverKey)
      .replaceAll('YOUR_CLIENT_KEY', project.clientKey)
      // A busy machine must not look like an outage.
      .replaceAll(' data-form=', ' data-timeout-ms="60000" data-form=')
      .replaceAll('/backups', folder)
      .replaceAll('2026-11-15', '$(date +%F)')
  );
}

/** Runs a block as a shell script that stops at the first failure. */
async function shell(
  code: string,
  project = demo,
  env: Record<string, string> = {},
  cwd = folder,
): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-ec', filledIn(code, project)], {
    cwd,
    env: {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      POSTERN_DATA_DIR: service.dataDir,
      POSTERN_DNS_SERVERS: service.dns.address,
      POSTERN_FEEDS: 'off',
      POSTERN_PORT: String(service.port),
      POSTERN: service.url,
      SERVER_KEY: shop.serverKey,
      POSTERN_SMTP_URL: 'smtp://127.0.0.1:25',
      POSTERN_SMTP_FROM: 'postern@shop.example',
      ...env,
    },
  });
  return stdout;
}

it('every code block of the docs says what runs it, and no rule is left over', () => {
  expect(
    blocks.filter(({ by }) => by === undefined).map(nameOf),
    'add a rule to scripts/test/code-blocks.mjs',
  ).toEqual([]);
  expect(unusedRules()).toEqual([]);
});

it.each(mine.filter(({ language }) => language === 'json').map((block) => [nameOf(block), block] as const))(
  '%s is JSON',
  (_name, { code }) => {
    expect(() => JSON.parse(code)).not.toThrow();
  },
);

describe('commands', () => {
  const others = ['docs/tutorial.md', 'docs/scaling.md', 'docs/dashboard.md', 'docs/dashboard-api.md'];
  const commands = mine.filter(
    ({ file, language, code }, index) =>
      language === 'sh' &&
      !others.includes(file) &&
      !code.startsWith('npm install') &&
      !code.includes('wh_…') &&
      // A command that several pages have runs once.
      mine.findIndex((block) => block.code === code && !others.includes(block.file)) === index,
  );
  it.each(commands.map((block) => [nameOf(block), block] as const))('%s runs', async (_name, { code }) => {
    await shop.validate({ email: 'jane@example.com' });
    const printed = await shell(code);
    expect(printed).not.toBe('');
    if (code.includes('/validate'))
      expect(JSON.parse(printed)).toMatchObject({ recommendation: expect.any(String) });
    if (code.includes('/v1/outcomes')) expect(JSON.parse(printed)).toHaveProperty('recorded');
  });

  it('the guides install packages that the service has', async () => {
    const lines = mine.filter(({ file, code }) => file.includes('guides/') && code.startsWith('npm install'));
    const urls = new Set(lines.flatMap(({ code }) => code.match(/https:[^\s"]+/g) ?? []));
    expect(lines).toHaveLength(15);
    for (const url of urls) {
      const { status } = await fetch(url.replace('https://postern.example.com', service.url));
      expect([url, status]).toEqual([url, 200]);
    }
  });

  it('the commands about a webhook run one after the other', async () => {
    const block = mine.find(({ file, code }) => file === 'docs/webhooks.md' && code.includes('wh_…'));
    let [webhook, delivery] = ['', ''];
    for (const line of (block?.code ?? '').trim().split('\n')) {
      const printed = await shell(line.replace('wh_…', webhook).replace('DELIVERY', delivery), shop);
      if (line.includes('webhook create')) webhook = /"id":\s*"(wh_[^"]+)"/.exec(printed)?.[1] ?? '';
      if (line.includes('deliveries'))
        delivery =
          (await shell(`npx postern webhook deliveries ${webhook} --json`)).match(/"id":\s*"([^"]+)"/)?.[1] ??
          '';
      expect(printed, line).not.toBe('');
    }
    expect([webhook, delivery]).not.toContain('');
  });
});

describe('the dashboard’s API', () => {
  it.each(['docs/dashboard.md', 'docs/dashboard-api.md'])('%s: its requests are answered', async (file) => {
    const owner = await member(service, 'owner');
    const { token } = (await owner.post('/tokens', { name: 'Docs' })).json;
    const code = mine.find((block) => block.file === file && block.language === 'sh')?.code ?? '';
    const requests = code.replaceAll('https://postern.example', service.url).replaceAll('pst_pat_…', token);
    // `--fail`: a refused request fails the script.
    const printed = await shell(requests.replaceAll('curl -s', 'curl -s --fail -w "\\n"'));
    expect(printed).toContain('"id":"demo"');
    if (file === 'docs/dashboard.md') return;
    expect(printed).toMatch(/"key":"pst_server_live_/);
    expect(await readFile(join(folder, 'blocked.csv'), 'utf8')).toContain('recommendation');
  });
});

describe('cells', () => {
  const [adding = '', moving = ''] = mine
    .filter(({ file, language }) => file === 'docs/scaling.md' && language === 'sh')
    .map(({ code }) => code);

  it('a new cell signs with the same keys, and a project moves to it with its log', async () => {
    await service.makeProject({ id: 'moving' });
    const keys = join(folder, 'signing-keys.json');
    const cells = { old: service.dataDir, new: join(folder, 'new-cell') };
    const on = (cell: keyof typeof cells, line: string) =>
      shell(line, demo, { POSTERN_DATA_DIR: cells[cell], POSTERN_SIGNING_KEYS: keys });

    const steps = adding.trim().split('\n');
    expect(steps.map((line) => line.split(/[ =]/).slice(0, 4).join(' '))).toEqual([
      'export POSTERN_SIGNING_KEYS /etc/postern/signing-keys.json ',
      'npx postern signing-key rotate',
      'npx postern export --no-projects',
      'npx postern import cell.jsonl',
    ]);
    for (const [index, line] of steps.slice(1).entries()) await on(index < 2 ? 'old' : 'new', line);
    expect(JSON.parse(await readFile(keys, 'utf8'))).toBeTruthy();

    // The comment at the end of a line says where it runs.
    for (const line of moving.replaceAll('shop', 'moving').trim().split('\n')) {
      const cell = /\d\. (old|new) cell/.exec(line)?.[1];
      if (cell === 'old' || cell === 'new') await on(cell, line);
      else expect(line).toMatch(/^# \d\. The router/);
    }
    expect(JSON.parse(await on('new', 'npx postern project list --json'))).toMatchObject([{ id: 'moving' }]);
    expect(await on('old', 'npx postern project list --json')).not.toContain('"moving"');
  });
});

describe('README.md', () => {
  const block = (language: string) =>
    mine.find(({ file, language: its }) => file === 'README.md' && its === language)?.code ?? '';

  it('shows an answer that the service gives', async () => {
    const shown = JSON.parse(block('json'));
    const answer = JSON.parse(await shell(block('sh')));
    expect(fieldsOf(answer)).toEqual(expect.arrayContaining(fieldsOf(shown)));
    for (const field of ['message', 'recommendation', 'signals']) expect(answer[field]).toEqual(shown[field]);
    for (const [check, { pass, error }] of Object.entries<Record<string, unknown>>(shown.checks))
      expect([check, answer.checks[check].pass, answer.checks[check].error]).toEqual([check, pass, error]);
  });

  it('shows a backend with Express that lets only good sign-ups through', async () => {
    const readme = await outsideTheClone('readme');
    await readme.install();
    // The README gets Express from npm’s registry.
    await symlink(join(root, 'node_modules/express'), join(readme.folder, 'node_modules/express'));
    const page = await readme.serve({ 'server.mjs': block('js'), 'sign-up.html': '<title>Sign up</title>' });
    try {
      await expect.poll(() => page.get('/').catch(() => '')).toContain('Sign up');
      expect(await page.signUp('jane.doe@gmail.com')).toBe('Welcome, jane.doe@gmail.com! You can start.');
      expect(await page.signUp('x@mailinator.com')).toBe('{"error":"Please use a permanent email address."}');
    } finally {
      page.stop();
    }
  });
});

/** A reader’s folder outside the clone, in which `npm install` finds neither the workspace nor its modules. */
async function outsideTheClone(name: string) {
  const own = join(folder, name);
  await mkdir(own);
  const tutorial = mine.find(
    ({ file, code }) => file === 'docs/tutorial.md' && code.startsWith('npm install'),
  );
  return {
    folder: own,
    /** Nothing but the service may be asked. */
    install: () =>
      shell(`${tutorial?.code.trim()} --no-audit --no-fund --registry=http://127.0.0.1:9`, demo, {}, own),
    async serve(files: Record<string, string>) {
      const port = String(await freePort());
      for (const [file, code] of Object.entries(files))
        await writeFile(join(own, file), filledIn(code, demo).replaceAll('3000', port));
      const server = spawn(process.execPath, ['server.mjs'], {
        cwd: own,
        stdio: 'ignore',
        env: { ...process.env, POSTERN_TIMEOUT_MS: '60000' },
      });
      const url = `http://localhost:${port}`;
      const text = async (answer: Promise<Response>) => (await answer).text();
      return {
        url,
        port,
        get: (path: string) => text(fetch(url + path)),
        signUp: (email: string) =>
          text(fetch(`${url}/sign-up`, { method: 'POST', body: new URLSearchParams({ email }) })),
        stop: () => server.kill(),
      };
    },
  };
}

/** The names of all fields, with those of the objects inside. */
function fieldsOf(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([name, inside]) =>
    typeof inside === 'object' && inside !== null && !Array.isArray(inside)
      ? fieldsOf(inside, `${path}${name}.`)
      : [`${path}${name}`],
  );
}

describe('the tutorial', () => {
  const tutorial = mine.filter(({ file }) => file === 'docs/tutorial.md');
  const find = (start: string) => tutorial.find(({ code }) => code.startsWith(start))?.code ?? '';

  it('explains two addresses and answers the first request', async () => {
    const explained = await shell(find('npx postern check')).catch(
      (failed: { stdout: string }) => failed.stdout,
    );
    expect(explained).toContain('gmail.com');
    expect(JSON.parse(await shell(find('curl -s http://127.0.0.1:8080')))).toMatchObject({
      recommendation: 'block',
      checks: { disposable: { pass: false } },
    });
  });

  it('ends with a form and a backend that both stop a throwaway address', async () => {
    expect(find('mkdir')).toBe('mkdir ../my-form && cd ../my-form\n');
    expect(find('node')).toBe('node server.mjs\n');
    const tutorial = await outsideTheClone('my-form');
    await tutorial.install();
    const { url, port, stop } = await tutorial.serve({
      'sign-up.html': find('<!doctype html>'),
      'server.mjs': find('import'),
    });
    const browser = await launchChromium();
    try {
      const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
      await expect.poll(() => page.goto(url).then(Boolean, () => false)).toBe(true);
      const submit = async (email: string) => {
        await page.getByLabel('Email').fill(email);
        await page.getByLabel('Email').press('Enter');
      };
      await page.waitForSelector('.postern-help');
      await submit('x@mailinator.com');
      await page.getByText('Please use a permanent email address.').waitFor();
      await page.getByLabel('Email').fill('jane.doe@gmial.com');
      await page.getByLabel('Email').blur();
      await page.getByRole('button', { name: /jane.doe@gmail\.com/ }).waitFor();
      await submit('jane.doe@gmail.com');
      await page.getByText('Welcome, jane.doe@gmail.com!').waitFor();
      const lie = find('curl -s http://localhost').replace('3000', port);
      expect(await shell(lie)).toBe('Please use a permanent email address.');
    } finally {
      await browser.close();
      stop();
    }
  });
});
