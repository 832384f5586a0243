import { expect, test } from 'vitest';
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
