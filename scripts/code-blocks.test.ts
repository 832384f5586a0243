import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../packages/sdk-browser/test/support/chromium.ts';
import { ensureBuilt } from '../packages/sdk-core/test/support/built-sdks.ts';
import { freePort } from '../packages/service/test/support/free-port.ts';
import {
  startService,
  type TestProject,
  type TestService,
} from '../packages/service/test/support/service.ts';
import { readCodeBlocks, unusedRules } from './docs-site/code-blocks.mjs';

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
  service = await startService();
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
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
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
      .replaceAll('/backups', folder)
      .replaceAll('2026-11-15', '$(date +%F)')
      // A command that goes on until it is stopped has tests of its own.
      .replaceAll(/^.* --every .*$/gm, '')
  );
}

/** Runs a block as a shell script that stops at the first failure. */
async function shell(code: string, project = demo): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-ec', filledIn(code, project)], {
    cwd: folder,
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
    },
  });
  return stdout;
}

it('every code block of the docs says what runs it, and no rule is left over', () => {
  expect(
    blocks.filter(({ by }) => by === undefined).map(nameOf),
    'add a rule to scripts/docs-site/code-blocks.mjs',
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
  const commands = mine.filter(
    ({ file, language, code }) => language === 'sh' && file !== 'docs/tutorial.md' && !code.includes('wh_…'),
  );
  it.each(commands.map((block) => [nameOf(block), block] as const))('%s runs', async (_name, { code }) => {
    await shop.validate({ email: 'jane@example.com' });
    const printed = await shell(code);
    expect(printed).not.toBe('');
    if (code.includes('/validate'))
      expect(JSON.parse(printed)).toMatchObject({ recommendation: expect.any(String) });
    if (code.includes('/v1/outcomes')) expect(JSON.parse(printed)).toHaveProperty('recorded');
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
    expect(await shell(find('npx postern sdk'))).toContain('postern-sdk-node-');
  });

  it('ends with a form and a backend that both stop a throwaway address', async () => {
    const port = String(await freePort());
    const own = (code: string) => filledIn(code, demo).replaceAll('3000', port);
    await writeFile(join(folder, 'sign-up.html'), own(find('<!doctype html>')));
    await writeFile(join(folder, 'server.mjs'), own(find('import')));
    const server = spawn('sh', ['-c', `exec ${find('node server.mjs')}`], { cwd: folder, stdio: 'ignore' });
    const browser = await launchChromium();
    try {
      const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
      await expect.poll(() => page.goto(`http://localhost:${port}`).then(Boolean, () => false)).toBe(true);
      const submit = async (email: string) => {
        await page.getByLabel('Email').fill(email);
        await page.getByLabel('Email').press('Enter');
      };
      await page.waitForSelector('[name=postern-verdict]', { state: 'attached' });
      await submit('x@mailinator.com');
      await page.getByText('Please use a permanent email address.').waitFor();
      await page.getByLabel('Email').fill('jane@gmial.com');
      await page.getByLabel('Email').blur();
      await page.getByRole('button', { name: /jane@gmail\.com/ }).waitFor();
      await submit('jane.doe@gmail.com');
      await page.getByText('Welcome, jane.doe@gmail.com!').waitFor();
      const lie = find('curl -s http://localhost').replace('3000', port);
      expect(await shell(lie)).toBe('Please use a permanent email address.');
    } finally {
      await browser.close();
      server.kill();
    }
  });
});
