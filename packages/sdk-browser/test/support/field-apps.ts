import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';

const packages = fileURLToPath(new URL('../../..', import.meta.url));
const require = createRequire(import.meta.url);
/** Its types belong to the name `svelte`. */
const { compile } = require('svelte-5/compiler') as {
  compile(code: string, options: { filename: string; generate: 'client' }): { js: { code: string } };
};
const reactPackage = createRequire(`${packages}dashboard/package.json`);
const source = (name: string) => `${packages}${name}/src/index.ts`;
const ownPackages = {
  '@postern/sdk-svelte/EmailField.svelte': `${packages}sdk-svelte/src/EmailField.svelte`,
  '@postern/contract': source('contract'),
  ...Object.fromEntries(
    ['core', 'browser', 'react', 'vue', 'svelte'].map((name) => [
      `@postern/sdk-${name}`,
      source(`sdk-${name}`),
    ]),
  ),
};

/** As the framework’s own plugin for bundlers does it. */
const svelteCompiler: Plugin = {
  name: 'svelte',
  transform: (code, id) =>
    id.endsWith('.svelte') ? { code: compile(code, { filename: id, generate: 'client' }).js.code } : null,
};

const APPS = {
  React: {
    input: 'sdk-react/test/support/field-app.tsx',
    alias: {
      react: dirname(reactPackage.resolve('react/package.json')),
      'react-dom': dirname(reactPackage.resolve('react-dom/package.json')),
    },
  },
  Vue: { input: 'sdk-vue/test/support/field-app.ts', alias: { vue: '@vue/runtime-dom' } },
  Svelte: { input: 'sdk-svelte/test/support/field-app.js', alias: { svelte: 'svelte-5' } },
} as const;

export type Framework = keyof typeof APPS;
export const FRAMEWORKS = Object.keys(APPS) as Framework[];

/** The framework’s app with our fields, as its own bundler makes it. */
export async function buildFieldApp(framework: Framework): Promise<OutputChunk[]> {
  const { input, alias } = APPS[framework];
  const build = await rolldown({
    input: { app: `${packages}${input}` },
    platform: 'browser',
    resolve: { alias: { ...ownPackages, ...alias } },
    tsconfig: false,
    plugins: [svelteCompiler],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await build.generate({ format: 'esm', chunkFileNames: '[name].js' });
  await build.close();
  return output.filter((part) => part.type === 'chunk');
}
