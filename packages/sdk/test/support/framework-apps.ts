import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';

const apps = fileURLToPath(new URL('./apps/', import.meta.url));
const packages = fileURLToPath(new URL('../../..', import.meta.url));
const require = createRequire(import.meta.url);
/** Its types belong to the name `svelte`. */
const { compile } = require('svelte-5/compiler') as {
  compile(code: string, options: { filename: string; generate: 'client' }): { js: { code: string } };
};

/** The SDK by its sources, so that a test shows the current code and not the last build. */
export const OWN_SOURCES = {
  '@postern/contract': `${packages}contract/src/index.ts`,
  'postern~sdk/core': `${packages}sdk/src/core.ts`,
  'postern~sdk/react': `${packages}sdk/src/react.ts`,
  'postern~sdk/vue': `${packages}sdk/src/vue.ts`,
  'postern~sdk/svelte': `${packages}sdk/src/svelte.ts`,
  'postern~sdk': `${packages}sdk/src/index.ts`,
};

/** As the framework’s own plugin for bundlers does it. */
const svelteCompiler: Plugin = {
  name: 'svelte',
  transform: (code, id) =>
    id.endsWith('.svelte') ? { code: compile(code, { filename: id, generate: 'client' }).js.code } : null,
};

/** React as that package of the repository has it. */
function react(name: 'sdk' | 'dashboard'): Record<string, string> {
  const { resolve } = createRequire(`${packages}${name}/package.json`);
  const folder = (module: string) => dirname(resolve(`${module}/package.json`));
  return { react: folder('react'), 'react-dom': folder('react-dom') };
}

const APPS = {
  'React 18': { input: 'react-app.tsx', alias: react('sdk') },
  'React 19': { input: 'react-app.tsx', alias: react('dashboard') },
  Vue: { input: 'vue-app.ts', alias: {} },
  Svelte: { input: 'svelte-app.js', alias: { svelte: 'svelte-5' } },
  '<postern-email>': { input: 'element-app.ts', alias: {} },
} as const;

export type Framework = keyof typeof APPS;
export const FRAMEWORKS = Object.keys(APPS) as Framework[];

/** The framework’s app, as its own bundler makes it. `input` is another file of the folder. */
export async function buildApp(
  framework: Framework,
  input: string = APPS[framework].input,
  platform: 'browser' | 'node' = 'browser',
): Promise<OutputChunk[]> {
  const build = await rolldown({
    input: { app: `${apps}${input}` },
    platform,
    resolve: { alias: { ...OWN_SOURCES, ...APPS[framework].alias } },
    tsconfig: false,
    plugins: [svelteCompiler],
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
  });
  const { output } = await build.generate({ format: 'esm', chunkFileNames: '[name].js' });
  await build.close();
  return output.filter((part) => part.type === 'chunk');
}
