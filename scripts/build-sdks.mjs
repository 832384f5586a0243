// Builds the five SDK packages: JavaScript with rolldown, declarations with tsc. With `--if-stale` only when a
// source is newer than what was built; that is how tests make sure of a build, several at a time.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

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
    // No bundler of the site’s own comes after us here.
    transform: { target: 'es2020' },
  });
  await build.write({
    file: join(folder, 'dist/postern.js'),
    format: 'iife',
    name: 'Postern',
    minify: true,
    codeSplitting: false,
    postBanner: fingerprintLicence(),
  });
  await build.close();
}

/** The library’s licence wants its notice on every copy, and minifying takes comments out. */
function fingerprintLicence() {
  const source = readFileSync(require.resolve('@fingerprintjs/fingerprintjs/dist/fp.esm.js'), 'utf8');
  return source.slice(0, source.indexOf('*/') + 2);
}

/** Declarations, from the contract’s on: `tsc -b` builds what a package refers to before the package. */
function buildDeclarations() {
  // TypeScript exports no path to its command, but its manifest says where it is.
  const command = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const projects = packages.map(({ name }) => join('packages', name));
  execFileSync(process.execPath, [command, '-b', ...projects], { cwd: root, stdio: 'inherit' });
}

async function buildAll() {
  buildDeclarations();
  for (const one of packages) await buildPackage(one);
  await buildPageScript();
}

/** When the newest file under a folder, or the file itself, was written. */
function newestMs(path) {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return 0;
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

function isStale() {
  const sources = ['contract', ...packages.map(({ name }) => name)].map((name) =>
    newestMs(join(root, 'packages', name, 'src')),
  );
  const script = newestMs(fileURLToPath(import.meta.url));
  // The page script is written last, so its time stands for the whole build.
  return newestMs(join(root, 'packages/sdk-browser/dist/postern.js')) < Math.max(script, ...sources);
}

/** One build at a time: a folder can be made only once. A lock that outlived its build is taken over. */
async function withLock(action) {
  const lock = join(root, 'node_modules/.postern-sdk-build');
  const startedMs = Date.now();
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      if (Date.now() - startedMs > 60_000) rmSync(lock, { recursive: true, force: true });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  try {
    await action();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

await withLock(async () => {
  if (!process.argv.includes('--if-stale') || isStale()) await buildAll();
});
