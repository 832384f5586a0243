import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setVersion } from './set-version.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
let copy: string;
afterEach(() => rmSync(copy, { recursive: true, force: true }));

/** Files that may name an old version: history, tests, data, and the lockfile, which npm writes. */
const MAY_NAME_OLD_VERSIONS =
  /^CHANGELOG\.md$|^docs\/upgrading\.md$|\.test\.ts$|\/test\/|\/lists\/|^package-lock\.json$/;

let text: string[];
let version: string;
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'postern-version-test-'));
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  text = tracked.filter(
    (name) =>
      /\.(md|json|ts|tsx|mjs|js|html|ya?ml|vue|svelte|astro)$/.test(name) && existsSync(join(ROOT, name)),
  );
  for (const file of text) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  version = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
});

it('every file that states the version states the same one', () => {
  for (const file of setVersion(copy, version))
    expect(readFileSync(join(copy, file), 'utf8'), file).toBe(readFileSync(join(ROOT, file), 'utf8'));
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const own = Object.entries<{ version: string }>(lock.packages).filter(([path]) =>
    /^(packages\/|$)/.test(path),
  );
  expect(
    own.filter(([path]) => !path.includes('node_modules')).filter(([, one]) => one.version !== version),
  ).toEqual([]);
});

it('sets one version in every file that states it, and nowhere else', () => {
  const old = new RegExp(`(?<![\\d.])${version.replaceAll('.', '\\.')}(?![\\d.]*\\d)`);
  const changed = setVersion(copy, '7.8.9');
  for (const file of changed) expect(readFileSync(join(copy, file), 'utf8'), file).toContain('7.8.9');
  const stale = text
    .filter((file) => !MAY_NAME_OLD_VERSIONS.test(file))
    .filter((file) => old.test(readFileSync(join(copy, file), 'utf8')));
  expect(stale).toEqual([]);
  const sdks = readFileSync(join(copy, 'docs/sdks.md'), 'utf8');
  expect(sdks.match(/postern-sdk-node-7\.8\.9\.tgz/g)).toHaveLength(2);
  const service = JSON.parse(readFileSync(join(copy, 'packages/service/package.json'), 'utf8'));
  const before = JSON.parse(readFileSync(join(ROOT, 'packages/service/package.json'), 'utf8'));
  expect(service.version).toBe('7.8.9');
  expect(service.dependencies).toEqual({ ...before.dependencies, '@postern/contract': '7.8.9' });
});

it('refuses what is no version', () => {
  expect(() => setVersion(copy, 'v0.2.0')).toThrow('is not a version');
});
