import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium } from '../../packages/sdk/test/support/chromium.ts';
import { ROOT } from '../checkout.mjs';
import { freePort, inProject, run } from './support.mjs';

const LIMIT_SECONDS = 300;
const READY =
  /^(?=[\s\S]*Postern is ready)(?=[\s\S]*Server key\s+(pst_server_\S+)\s)(?=[\s\S]*Client key\s+(pst_client_\S+)\s)/;

/** The one block of the README, or the one line of its commands, that this finds. */
function readBlocks(readme) {
  const blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return (language, wanted, byLine = false) => {
    const texts = blocks.filter(([, one]) => one === language).map(([, , text]) => text);
    const found = (byLine ? texts.flatMap((text) => text.split('\n')) : texts).filter((text) =>
      text.includes(wanted),
    );
    if (found.length === 1) return found[0];
    throw new Error(`README.md must have “${wanted}” exactly once, but has it ${found.length} times`);
  };
}

/** Runs a command line as typed into a terminal. `until` waits for what it prints, `stop` ends it and its children. */
function type(command, cwd, environment) {
  const child = spawn('sh', ['-c', command], {
    cwd,
    env: { ...process.env, ...environment },
    detached: true,
  });
  let printed = '';
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const until = (pattern) =>
    new Promise((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          printed += chunk;
          const match = pattern.exec(printed);
          if (match !== null) resolve(match);
        });
      child.on('exit', (code) => reject(new Error(`${command} ended with ${code}:\n${printed}`)));
    });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGTERM');
    await exited;
  };
  return { until, stop };
}

async function tryForm(url, step) {
  const browser = await launchChromium();
  try {
    const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
    // The backend needs a moment until it listens.
    while ((await page.goto(url).catch(() => null)) === null) await page.waitForTimeout(100);
    step('the page is served');
    const submit = async (email, answer) => {
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Email').press('Enter');
      await page.getByText(answer).waitFor({ timeout: 60_000 });
    };
    await submit('x@mailinator.com', 'Please use a permanent email address.');
    if (page.url() !== url) throw new Error(`The form was sent: ${page.url()}`);
    step('the form stopped x@mailinator.com');
    await submit('jane.doe@gmail.com', 'Welcome, jane.doe@gmail.com!');
    step('the form and its backend let jane.doe@gmail.com through');
  } finally {
    await browser.close();
  }
}

export const parts = ['README'];

/**
 * Follows README.md like a newcomer: a fresh clone in a temporary folder, the README’s commands and its page, a real
 * browser that tries to sign up with a throwaway address. Fails if that takes five minutes or more, or if the form does
 * not stop the address.
 */
export function tryPart() {
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  const step = (text) => console.log(`${seconds().toFixed(1).padStart(6)} s  ${text}`);
  return inProject({}, async (folder) => {
    const clone = join(folder, 'postern');
    await run('git', ['clone', '--quiet', ROOT, clone]);
    step('cloned');
    const only = readBlocks(readFileSync(join(clone, 'README.md'), 'utf8'));
    // The README’s ports may be taken on this machine.
    const ports = { 8080: String(await freePort()), 3000: String(await freePort()) };
    const withPorts = (text) => text.replaceAll(/\b(8080|3000)\b/g, (port) => ports[port]);
    const running = [];
    try {
      // The lists in the repository are enough here.
      const environment = { POSTERN_PORT: ports[8080], POSTERN_FEEDS: 'off' };
      running.push(type(only('sh', 'npm start', true), clone, environment));
      const [, serverKey, clientKey] = await running[0].until(READY);
      step('npm start printed the keys');
      await run('sh', ['-ec', withPorts(only('sh', 'mkdir'))], { cwd: clone });
      step('the SDK and Express are installed');
      const own = join(folder, 'my-form');
      for (const [name, text] of [
        ['sign-up.html', only('html', 'sign-up.html')],
        ['server.mjs', only('js', 'server.mjs')],
      ]) {
        const filled = withPorts(text).replace('YOUR_CLIENT_KEY', clientKey);
        writeFileSync(join(own, name), filled.replace('YOUR_SERVER_KEY', serverKey));
      }
      running.push(type(only('sh', 'node server', true), own, {}));
      await tryForm(`http://localhost:${ports[3000]}/`, step);
    } finally {
      for (const { stop } of running) await stop();
    }
    if (seconds() >= LIMIT_SECONDS) throw new Error(`That took more than ${LIMIT_SECONDS} s`);
    return `done in ${seconds().toFixed(0)} s`;
  });
}
