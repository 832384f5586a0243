import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../packages/sdk/test/support/chromium.ts';
import { type DashboardClient, visitor } from '../packages/service/test/support/dashboard.ts';
import { ordinaryMail } from '../packages/service/test/support/dns-server.ts';
import { freePort } from '../packages/service/test/support/free-port.ts';
import { ask } from '../packages/service/test/support/http-client.ts';
import { KNOWN_MAIL, startService, type TestService } from '../packages/service/test/support/service.ts';
import { readCodeBlocks } from './test/code-blocks.mjs';

/**
 * Follows docs/go-live.md as far as that is possible without Docker and a public name: the commands in the container run
 * as `npx postern`, with the settings of deploy/compose.https.yaml.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const HOST = 'https://postern.example.com';
const blocks = (readCodeBlocks() as { file: string; code: string }[]).filter(
  ({ file }) => file === 'docs/go-live.md' || file === 'docs/gdpr.md',
);
const find = (start: string) => {
  const block = blocks.find(({ code }) => code.startsWith(start));
  if (block === undefined) throw new Error(`No block begins with ${start}`);
  return block.code;
};

let folder: string;
let service: TestService;
let owner: DashboardClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-go-live-'));
  await mkdir(join(folder, 'bin'));
  // The container’s command, with the service of this test.
  await writeFile(
    join(folder, 'bin/docker'),
    `#!/bin/sh
case "$1 $2 $3 $4" in
  "compose exec postern postern") shift 4; exec "${process.execPath}" "${root}packages/cli/bin/postern.mjs" "$@" ;;
  *) echo "not expected: $*" >&2; exit 9 ;;
esac
`,
  );
  await chmod(join(folder, 'bin/docker'), 0o755);
});
afterAll(async () => {
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

async function shell(code: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-ec', code], {
    cwd: folder,
    env: {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      ...(service && {
        ...service.env,
        POSTERN_DATA_DIR: service.dataDir,
        POSTERN_DNS_SERVERS: service.dns.address,
        POSTERN_FEEDS: 'off',
      }),
    },
  });
  return stdout;
}

it('1. writes the settings that both compose files ask for, for nobody else to read', async () => {
  await shell(find('cat > .env'));
  const text = await readFile(join(folder, '.env'), 'utf8');
  const settings = Object.fromEntries(text.split('\n').map((line) => line.split('=') as [string, string]));
  expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
  expect(settings.POSTERN_DB_PASSWORD).toMatch(/^[0-9a-f]{64}$/);
  expect(settings.COMPOSE_FILE).toBe('compose.yaml:compose.https.yaml');
  const compose = await Promise.all(
    ['compose.yaml', 'compose.https.yaml'].map((name) => readFile(join(root, 'deploy', name), 'utf8')),
  );
  const wanted = compose.join('').match(/(?<=\$\{)[A-Z_]+(?=:\?)/g) ?? [];
  expect(wanted.length).toBeGreaterThan(3);
  expect(wanted.filter((name) => !(name in settings))).toEqual([]);

  const { POSTERN_METRICS_TOKEN = '', POSTERN_DOMAIN = '' } = settings;
  const env = {
    POSTERN_PUBLIC_URL: `https://${POSTERN_DOMAIN}`,
    POSTERN_TRUSTED_PROXIES: 'private',
    POSTERN_METRICS_TOKEN,
    POSTERN_LOG_FORMAT: 'json',
  };
  for (const name of Object.keys(env).slice(0, 3)) expect(compose[1]).toContain(`${name}:`);
  const port = await freePort();
  const started = await startService({
    env: { ...env, POSTERN_PORT: String(port) },
    zone: { ...KNOWN_MAIL, ...ordinaryMail('mailinator.com') },
    slowPasswords: true,
  });
  // It announces its public name, which leads nowhere here.
  const url = `http://127.0.0.1:${port}`;
  service = { ...started, url, port, ask: (what) => ask(url, what) };
});

it('2. makes the first account without reading the log', async () => {
  const printed = await shell(find('docker compose exec postern postern user create'));
  const [, password] = /Password: (\S+)/.exec(printed) ?? [];
  owner = visitor(service, 'owner@shop.example');
  const signedIn = await owner.auth('/sign-in/email', { email: owner.email, password });
  expect([signedIn.status, (await owner.get('/session')).json.user]).toEqual([
    200,
    expect.objectContaining({ name: 'Owner', role: 'owner' }),
  ]);
});

let clientKey = '';
it('3. makes a project and its keys', async () => {
  const printed = await shell(find('docker compose exec postern postern project create'));
  clientKey = /pst_client_live_\S+/.exec(printed)?.[0] ?? '';
  expect(clientKey).not.toBe('');
  expect(printed).toMatch(/pst_server_live_/);
  expect(printed).toContain('1000000');
});

it('4. leaves nothing red on the safety checklist', async () => {
  const { json } = await owner.get('/projects/shop/safety');
  expect(json.items.filter(({ safe }: { safe: boolean }) => !safe)).toEqual([]);
  expect(await shell(find('docker compose exec postern postern doctor'))).not.toBe('');
});

it('5. protects a form under the content policy that it gives', async () => {
  await shell('docker compose exec postern postern project update shop --allow-domain "localhost:*"');
  const filledIn = (code: string) =>
    code
      .replaceAll(HOST, service.url)
      .replaceAll('YOUR_CLIENT_KEY', clientKey)
      .replaceAll(' data-form=', ' data-timeout-ms="60000" data-form=');
  const policy = filledIn(find('Content-Security-Policy:')).trim().replace('Content-Security-Policy: ', '');
  const page = filledIn(find('<form'));
  const site = createServer((_request, response) => {
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Content-Type', 'text/html');
    response.end(page);
  });
  const browser = await launchChromium();
  try {
    const tab = await (await browser.newContext({ locale: 'en-US' })).newPage();
    const refused: string[] = [];
    tab.on('console', (message) => {
      if (/content security policy/i.test(message.text())) refused.push(message.text());
    });
    await tab.goto(await listen(site));
    await tab.waitForSelector('.postern-help');
    await tab.getByLabel('Email').fill('x@mailinator.com');
    await tab.getByLabel('Email').press('Enter');
    await tab.getByText('Please use a permanent email address.').waitFor();
    expect(refused).toEqual([]);
  } finally {
    await browser.close();
    site.close();
    site.closeAllConnections();
  }
  const rows = (await owner.get('/projects/shop/validations')).json;
  expect(JSON.stringify(rows)).toMatch(/mailinator\.com/);
});

it('the page about the GDPR switches the fingerprint with an option that exists', async () => {
  const client = await readFile(join(root, 'packages/sdk/src/postern-client.ts'), 'utf8');
  expect(find('const postern = Postern.createPosternClient')).toContain('fingerprint: hasConsent');
  expect(client).toContain('fingerprint?: boolean | undefined;');
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return `http://localhost:${(server.address() as AddressInfo).port}/`;
}
