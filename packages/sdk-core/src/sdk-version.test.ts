import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SDK_VERSION } from './sdk-version.ts';

it.each(['core', 'browser', 'react', 'vue', 'svelte', 'angular', 'react-native', 'node'])(
  'the version sent is the version of sdk-%s',
  (name) => {
    const manifest = readFileSync(new URL(`../../sdk-${name}/package.json`, import.meta.url), 'utf8');
    expect(JSON.parse(manifest).version).toBe(SDK_VERSION);
  },
);
