import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from './checkout.mjs';

/** What `npm start` says on a machine where it cannot start: one sentence, no stack. */

let checkout: string;
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'postern-start-'));
  cpSync(join(ROOT, 'scripts'), join(checkout, 'scripts'), {
    recursive: true,
    filter: (path) => !/test|fixtures|assets/.test(path.slice(ROOT.length)),
  });
  const packages = { 'node_modules/fastify': { version: '5.0.0' } };
  writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify({ packages }));
  mkdirSync(join(checkout, 'npm'));
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

/** Starts with an npm that fails with that output, after a module that changes the machine. */
function start({ npm = '', before = '' }): Promise<string> {
  const script = join(checkout, 'npm', 'npm-cli.js');
  writeFileSync(script, `console.error(${JSON.stringify(npm)}); process.exit(1);`);
  const preload = `data:text/javascript,${encodeURIComponent(before)}`;
  const env = { ...process.env, npm_execpath: script };
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      ['--import', preload, join(checkout, 'scripts', 'start.mjs')],
      { env },
      (error, _, stderr) => {
        expect(error?.code).toBe(1);
        expect(stderr).not.toMatch(/^\s+at /m);
        resolve(stderr.replace(/^Installing.*\n/, '').trim());
      },
    ),
  );
}

const refusedWrite = (code: string) => `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  fs.writeFileSync = (path) => { throw Object.assign(new Error('${code}'), { code: '${code}', path }); };
  syncBuiltinESMExports();`;

test('an old Node', async () => {
  const before =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })";
  expect(await start({ before })).toBe(
    'postern: Node 18.20.8 is too old. Postern needs 20.19 or later: https://nodejs.org',
  );
});

test('no network', async () => {
  const npm = `npm error code ENOTFOUND
npm error network request to http://registry.example/fastify failed, reason: getaddrinfo ENOTFOUND registry.example
npm error network This is a problem related to network connectivity.`;
  expect(await start({ npm })).toBe(
    'postern: Dependencies could not be installed. The package registry cannot be reached (getaddrinfo ENOTFOUND registry.example). Check the connection or proxy, then run the command again.',
  );
});

test('a full disk, for npm and for this command', async () => {
  const npm = 'npm error code ENOSPC\nnpm error path /srv/postern/node_modules/vite\nnpm error nospc';
  expect(await start({ npm })).toBe(
    'postern: Dependencies could not be installed. The disk of /srv/postern/node_modules/vite is full. Free some space, then run the command again.',
  );
  expect(await start({ before: refusedWrite('ENOSPC') })).toMatch(
    /^postern: The disk of .*\.postern-build\.lock is full\. Free some space, then run the command again\.$/,
  );
});

test('a folder without write access, for npm and for this command', async () => {
  const npm = 'npm error code EACCES\nnpm error path /srv/postern/node_modules';
  expect(await start({ npm })).toBe(
    'postern: Dependencies could not be installed. Cannot write /srv/postern/node_modules (EACCES): installing and building need write access. Check who owns the folder.',
  );
  expect(await start({ before: refusedWrite('EROFS') })).toMatch(
    /^postern: Cannot write .*\.postern-build\.lock \(EROFS\): installing and building need write access\. Check who owns the folder\.$/,
  );
});

test('anything else shows what npm said', async () => {
  expect(await start({ npm: 'npm error code EINTEGRITY\nnpm error sha512-x' })).toBe(
    'postern: Dependencies could not be installed. Run `npm ci` to see the full output:\nnpm error code EINTEGRITY\nnpm error sha512-x',
  );
});
