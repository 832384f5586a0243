import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './checkout.mjs';
import { hasDevelopersTools, missingPackages } from './ensure-installed.mjs';

const wanted = {
  '': { name: 'postern' },
  'packages/cli': { version: '0.1.0' },
  'node_modules/@postern/cli': { link: true, resolved: 'packages/cli' },
  'node_modules/fastify': { version: '5.0.0' },
  'packages/dashboard/node_modules/react': { version: '19.0.0' },
  'node_modules/native-other-platform': { version: '1.0.0', optional: true },
  'node_modules/linter': { version: '2.0.0', dev: true },
  'node_modules/vitest': { version: '4.0.0', devOptional: true },
};
const installed = {
  'node_modules/@postern/cli': { link: true },
  'node_modules/fastify': { version: '5.0.0' },
  'packages/dashboard/node_modules/react': { version: '19.0.0' },
};

test('a start needs the runtime packages; tests also need the dev dependencies', () => {
  expect(missingPackages(wanted, installed, false)).toEqual([]);
  expect(missingPackages(wanted, installed, true)).toEqual(['node_modules/linter', 'node_modules/vitest']);
});

test('an older version, a package inside a workspace and a missing link are detected', () => {
  const older = { ...installed, 'node_modules/fastify': { version: '4.9.0' } };
  expect(missingPackages(wanted, older, false)).toEqual(['node_modules/fastify']);
  expect(missingPackages(wanted, {}, false)).toEqual([
    'node_modules/@postern/cli',
    'node_modules/fastify',
    'packages/dashboard/node_modules/react',
  ]);
});

test('a developer’s install is recognised by its dev dependencies', () => {
  const withPeer = { ...installed, 'node_modules/vitest': { version: '4.0.0' } };
  expect(hasDevelopersTools(wanted, withPeer)).toBe(false);
  expect(hasDevelopersTools(wanted, { ...withPeer, 'node_modules/linter': { version: '2.0.0' } })).toBe(true);
});

test('what npm start compiles needs no package of the developers', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const used: { name: string; folder: string; by: string }[] = [];
  for (const folder of readdirSync(join(ROOT, 'packages'))) {
    const path = (...names: string[]) => join(ROOT, 'packages', folder, ...names);
    // The app has an SDK’s peers.
    const { peerDependencies = {} } = JSON.parse(readFileSync(path('package.json'), 'utf8'));
    const files = readdirSync(path('src'), { recursive: true })
      .map(String)
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name));
    for (const file of files)
      for (const [, name] of readFileSync(path('src', file), 'utf8').matchAll(
        // Types are removed, whether they are there or not.
        /^(?:import(?! type\b)|export(?! type\b)|\}) [^;]*?\bfrom '((?:@[^/']+\/)?[^./'][^/']*)/gm,
      ))
        if (name !== undefined && !(name in peerDependencies)) used.push({ name, folder, by: file });
  }
  expect(used.length).toBeGreaterThan(10);
  const locked = (folder: string, name: string) =>
    packages[`packages/${folder}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
  const developers = used.filter(({ name, folder }) => locked(folder, name)?.dev);
  expect(developers).toEqual([]);
});

test('the lockfile names no registry, so that npm ci works with anybody’s', () => {
  expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "https?:/);
});

test('a start installs no package that only developers name', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  // npm installs a developer’s package for everybody if another package names it as an optional peer. These small ones
  // cannot be avoided: better-auth names vitest, sodium-native’s loader what the tests’ browser brings, others types.
  const known =
    /^node_modules\/(vitest|@vitest\/.*|@types\/.*|csstype|undici-types|bare-(buffer|path|url)|assertion-error|chai|convert-source-map|es-module-lexer|estree-walker|expect-type|obug|pathe|siginfo|stackback|std-env|tinybench|tinyexec|tinyrainbow|why-is-node-running)$/;
  // altcha-lib names web frameworks, of which the tests of the adapters bring two (docs/decisions/0002-dependencies.md).
  const frameworks = new Set(['node_modules/express', 'node_modules/hono']);
  for (const path of frameworks)
    for (const name of Object.keys(packages[path].dependencies ?? {}))
      frameworks.add(
        [`${path}/node_modules/${name}`, `node_modules/${name}`].find((one) => one in packages) ?? name,
      );
  const both = Object.entries<{ devOptional?: boolean }>(packages).filter(([, entry]) => entry.devOptional);
  const others = both.map(([path]) => path).filter((path) => !known.test(path) && !frameworks.has(path));
  expect(others).toEqual([]);
});
