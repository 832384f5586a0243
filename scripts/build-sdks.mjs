// Builds the five SDK packages: JavaScript with rolldown, declarations with tsc.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages by name stay imports: the app’s own bundler puts them together, each once. */
const isPackage = (id) => !id.startsWith('.') && !id.startsWith('/');

const packages = [
  { name: 'sdk-core', entries: ['index'], platform: 'neutral' },
  { name: 'sdk-browser', entries: ['index'], platform: 'browser' },
  { name: 'sdk-react', entries: ['index'], platform: 'browser' },
  { name: 'sdk-react-native', entries: ['index', 'expo', 'device-info'], platform: 'neutral' },
  { name: 'sdk-node', entries: ['index'], platform: 'node' },
];

async function buildPackage({ name, entries, platform }) {
  const folder = join(root, 'packages', name);
  const build = await rolldown({
    cwd: folder,
    input: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    platform,
    external: isPackage,
    tsconfig: false,
  });
  await build.write({
    dir: join(folder, 'dist'),
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  });
  await build.close();
}

/** The one file for a plain page has everything inside, the fingerprint library included. */
async function buildPageScript() {
  const folder = join(root, 'packages/sdk-browser');
  const build = await rolldown({
    cwd: folder,
    input: 'src/page.ts',
    platform: 'browser',
    tsconfig: false,
    resolve: { alias: { '@postern/sdk-core': join(root, 'packages/sdk-core/src/index.ts') } },
  });
  await build.write({
    file: join(folder, 'dist/postern.js'),
    format: 'iife',
    name: 'Postern',
    minify: true,
    codeSplitting: false,
  });
  await build.close();
}

/** Declarations, from the contract’s on: `tsc -b` builds what a package refers to before the package. */
function buildDeclarations() {
  // TypeScript exports no path to its command, but its manifest says where it is.
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const projects = packages.map(({ name }) => join('packages', name));
  const command = join(dirname(manifest), 'bin/tsc');
  execFileSync(process.execPath, [command, '-b', ...projects], { cwd: root, stdio: 'inherit' });
}

buildDeclarations();
for (const one of packages) await buildPackage(one);
await buildPageScript();
