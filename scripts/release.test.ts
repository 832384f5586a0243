import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeSection, requireNextVersion, sectionOf, setVersion } from './release-version.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
let copy: string;
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'postern-release-test-'));
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

/** Files that may name an old version: history, tests, data, and the lockfile, which npm writes. */
const MAY_NAME_OLD_VERSIONS =
  /^CHANGELOG\.md$|^docs\/upgrading\.md$|\.test\.ts$|\/test\/|\/lists\/|^package-lock\.json$/;

it('sets one version in every file that states it, and nowhere else', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const text = tracked.filter(
    (name) =>
      /\.(md|json|ts|tsx|mjs|js|html|ya?ml|vue|svelte|astro)$/.test(name) && existsSync(join(ROOT, name)),
  );
  for (const file of text) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
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

it('gives the unreleased changes their version and starts a new section', () => {
  const text = '# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [0.1.0] - 2026-01-01\n\n- Old.\n';
  writeFileSync(join(copy, 'CHANGELOG.md'), text);
  expect(closeSection(copy, 'CHANGELOG.md', '0.2.0', '2026-11-15')).toBe('- New.');
  const closed = readFileSync(join(copy, 'CHANGELOG.md'), 'utf8');
  expect(closed).toContain('## [Unreleased]\n\n## [0.2.0] - 2026-11-15\n\n- New.\n\n## [0.1.0]');
  expect(sectionOf(closed, '0.2.0', 'CHANGELOG.md')).toBe('- New.');
  expect(() => closeSection(copy, 'CHANGELOG.md', '0.3.0', '2026-11-16')).toThrow('nothing under');
});

it.each([
  ['0.1', 'is not a version'],
  ['v0.2.0', 'is not a version'],
  ['0.0.9', 'is earlier than'],
])('refuses the version %s', (version, why) => {
  expect(() => requireNextVersion(version, '0.1.0')).toThrow(why);
});

it('refuses unknown options and says how it is used', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release.mjs', '--nonsense'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('npm run release -- VERSION');
});
