import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SDK_VERSION } from './sdk-version.ts';

it.each(['sdk', 'sdk-node', 'sdk-react-native'])('the version sent is the version of %s', (name) => {
  const manifest = readFileSync(new URL(`../../../${name}/package.json`, import.meta.url), 'utf8');
  expect(JSON.parse(manifest).version).toBe(SDK_VERSION);
});
