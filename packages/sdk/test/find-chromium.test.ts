import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findChromium, type Machine, provideChromium } from './support/find-chromium.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postern-find-'));
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inBin = (name: string) => join(folder, 'bin', name);
const inCache = () => join(folder, 'downloaded');

function program(path: string, body = 'exit 0'): string {
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** An arm64 machine without a browser, whose package managers and downloads do what the test says. */
function machine(changes: Partial<Machine> = {}): Machine {
  return {
    env: { PATH: join(folder, 'bin') },
    arch: 'arm64',
    isRoot: false,
    system: 'ID=debian\n',
    otherPlaces: async () => [inCache()],
    install: () => Promise.reject(new Error('offline')),
    ...changes,
  };
}

/** Notes what is installed and succeeds; then the given file exists. */
function installing(path: string, matching: RegExp, ran: string[]): Machine['install'] {
  return async (name, args) => {
    const line = [
      name === process.execPath ? 'playwright' : name,
      ...args.filter((arg) => !arg.includes('/')),
    ];
    ran.push(line.join(' '));
    if (!matching.test(ran.at(-1) ?? '')) return;
    program(path);
  };
}

test('CHROMIUM_PATH comes before an installed browser, and must run', async () => {
  program(inBin('chromium'));
  const named = program(join(folder, 'named'));
  const env = { PATH: join(folder, 'bin'), CHROMIUM_PATH: named };
  expect(await findChromium(machine({ env }))).toMatchObject({ executablePath: named });
  await expect(findChromium(machine({ env: { ...env, CHROMIUM_PATH: `${named}-not` } }))).rejects.toThrow(
    /^CHROMIUM_PATH names .*named-not, which does not run\.$/,
  );
});

test('an installed browser is used if it runs, on x64 before the one on npm', async () => {
  program(inBin('chromium-browser'), 'echo "requires the chromium snap" >&2; exit 1');
  expect(await findChromium(machine())).toBeUndefined();
  const chrome = program(inBin('google-chrome'));
  expect(await findChromium(machine({ arch: 'x64' }))).toMatchObject({ executablePath: chrome });
});

test.each([
  [
    'apt-get',
    ['apt-get update', 'apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends chromium'],
  ],
  ['dnf', ['dnf install -y chromium']],
  ['apk', ['apk add --no-cache chromium']],
])('root installs it with %s, in CI or not', async (manager, lines) => {
  program(inBin(manager));
  const ran: string[] = [];
  const install = installing(inBin('chromium'), / chromium$/, ran);
  expect(await provideChromium(machine({ isRoot: true, install }))).toMatchObject({
    executablePath: inBin('chromium'),
  });
  expect(ran).toEqual(lines);
});

test('without root Playwright downloads it', async () => {
  program(inBin('apt-get'));
  const ran: string[] = [];
  const install = installing(inCache(), /^playwright/, ran);
  expect(await provideChromium(machine({ install }))).toMatchObject({ executablePath: inCache() });
  expect(ran).toEqual(['playwright install --no-shell chromium']);
});

test('on Ubuntu, whose package is a snap, Playwright downloads it with its libraries', async () => {
  program(inBin('apt-get'));
  const ran: string[] = [];
  const install = installing(inCache(), /^playwright/, ran);
  const ubuntu = machine({ isRoot: true, system: 'NAME="Ubuntu"\nID=ubuntu\n', install });
  expect(await provideChromium(ubuntu)).toMatchObject({ executablePath: inCache() });
  expect(ran).toEqual(['playwright install --with-deps --no-shell chromium']);
});

test('if there is none after all, it says why and names one command', async () => {
  expect(await provideChromium(machine())).toEqual({
    reason:
      'no Chromium or Chrome is installed; the one on npm is for x64 only; Playwright’s download failed (Error: offline)',
    command: 'npx playwright install --with-deps chromium',
  });
  program(inBin('apt-get'));
  expect(await provideChromium(machine())).toMatchObject({
    reason: expect.stringContaining('apt-get needs root'),
    command: 'sudo apt-get install -y chromium',
  });
  expect(await provideChromium(machine({ isRoot: true }))).toMatchObject({
    reason: expect.stringContaining('apt-get failed (Error: offline)'),
    command: 'apt-get install -y chromium',
  });
});
