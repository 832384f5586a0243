/**
 * Follows README.md like a newcomer: a fresh clone in a temporary folder, the README’s commands and its page, a real
 * browser that tries to sign up with a throwaway address. Fails if that takes five minutes or more, or if the form does
 * not stop the address. `node scripts/first-form.mjs`
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './typescript.mjs';

const LIMIT_SECONDS = 300;
const checkout = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'postern-form-'));
const clone = join(folder, 'postern');
const children = [];

const begun = performance.now();
const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
const step = (text) => console.log(`${seconds().padStart(6)} s  ${text}`);

/** The README’s blocks in one language. */
function blocks(readme, language) {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text]) => text,
  );
}

function only(found, what) {
  if (found.length !== 1)
    throw new Error(`README.md must have ${what} exactly once, but has it ${found.length} times`);
  return found[0];
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

/** Runs a command line as typed into a terminal, and waits until it has printed `pattern`. */
function type(command, cwd, environment, pattern) {
  const env = { ...process.env, ...environment };
  const child = spawn('sh', ['-c', command], { cwd, env, detached: true });
  children.push(child);
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (chunk) => {
      printed += chunk;
      const match = pattern.exec(printed);
      if (match !== null) resolve(match);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => reject(new Error(`${command} ended with ${code}:\n${printed}`)));
    if (pattern.test('')) resolve([]);
  });
}

async function stopAll() {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    process.kill(-child.pid, 'SIGTERM');
    await exited;
  }
}

/** Waits until the page’s server answers. */
async function reachable(url) {
  for (let tries = 0; tries < 600; tries += 1) {
    if (
      await fetch(url).then(
        (response) => response.ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}

async function tryForm(url) {
  const { launchChromium } = await import('../packages/sdk/test/support/chromium.ts');
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByLabel('Email').fill('x@mailinator.com');
    await page.getByLabel('Email').press('Enter');
    await page.getByText('Please use a permanent email address.').waitFor({ timeout: 60_000 });
    if (page.url() !== url) throw new Error(`The form was sent: ${page.url()}`);
    step('the form stopped x@mailinator.com');
    await page.getByLabel('Email').fill('jane.doe@gmail.com');
    await page.getByLabel('Email').press('Enter');
    await page.getByText('Welcome, jane.doe@gmail.com!').waitFor({ timeout: 60_000 });
    step('the form and its backend let jane.doe@gmail.com through');
  } finally {
    await browser.close();
  }
}

try {
  execFileSync('git', ['clone', '--quiet', checkout, clone]);
  step('cloned');
  const readme = readFileSync(join(clone, 'README.md'), 'utf8');
  const commands = blocks(readme, 'sh').flatMap((block) => block.split('\n'));
  const start = only(
    commands.filter((line) => line.startsWith('npm start')),
    'the command npm start',
  );
  const prepare = only(
    blocks(readme, 'sh').filter((block) => block.startsWith('mkdir')),
    'the commands that make a folder and install the SDK',
  );
  const serve = only(
    commands.filter((line) => line.startsWith('node server')),
    'a command that starts the backend',
  );
  const backend = only(
    blocks(readme, 'js').filter((text) => text.includes('server.mjs')),
    'the backend server.mjs',
  );
  const html = only(
    blocks(readme, 'html').filter((text) => text.includes('sign-up.html')),
    'the page sign-up.html',
  );

  // The README’s ports may be taken on this machine.
  const ports = { 8080: await freePort(), 3000: await freePort() };
  const withPorts = (text) => text.replaceAll(/\b(8080|3000)\b/g, (port) => ports[port]);
  // The lists in the repository are enough here.
  const environment = { POSTERN_PORT: ports[8080], POSTERN_FEEDS: 'off' };
  const [, serverKey, clientKey] = await type(
    start,
    clone,
    environment,
    /^(?=[\s\S]*Postern is ready)(?=[\s\S]*Server key\s+(pst_server_\S+)\s)(?=[\s\S]*Client key\s+(pst_client_\S+)\s)/,
  );
  step('npm start printed the keys');

  execFileSync('sh', ['-ec', withPorts(prepare)], { cwd: clone, stdio: 'ignore' });
  step('the SDK and Express are installed');
  const own = join(folder, 'my-form');
  for (const [name, text] of [
    ['sign-up.html', html],
    ['server.mjs', backend],
  ])
    writeFileSync(
      join(own, name),
      withPorts(text).replace('YOUR_CLIENT_KEY', clientKey).replace('YOUR_SERVER_KEY', serverKey),
    );
  const url = `http://localhost:${ports[3000]}/`;
  await type(serve, own, {}, /^/);
  await reachable(url);
  step('the page is served');
  await tryForm(url);
  if (Number(seconds()) >= LIMIT_SECONDS) throw new Error(`That took more than ${LIMIT_SECONDS} s`);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
