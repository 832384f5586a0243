// Builds the five SDK packages: JavaScript with rolldown, declarations with tsc. With `--if-stale` only if a source is
// newer than the build. Tests use this to make sure that there is a build, several at a time.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** Imports of packages by name are kept. The app’s own bundler includes each package once. */
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

/** The single file for plain pages includes everything, also the fingerprint library. */
async function buildPageScript() {
  const folder = join(root, 'packages/sdk-browser');
  const build = await rolldown({
    cwd: folder,
    input: 'src/page.ts',
    platform: 'browser',
    tsconfig: false,
    resolve: { alias: { '@postern/sdk-core': join(root, 'packages/sdk-core/src/index.ts') } },
    // The site has no bundler of its own.
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

/** The library’s licence requires its notice in every copy, and minifying removes comments. */
function fingerprintLicence() {
  const source = readFileSync(require.resolve('@fingerprintjs/fingerprintjs/dist/fp.esm.js'), 'utf8');
  return source.slice(0, source.indexOf('*/') + 2);
}

/** Declarations, starting with the contract’s: `tsc -b` builds the references of a package first. */
function buildDeclarations() {
  // TypeScript does not export the path of its command, but its package.json has it.
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
  // The page script is written last, so its time is the time of the whole build.
  return newestMs(join(root, 'packages/sdk-browser/dist/postern.js')) < Math.max(script, ...sources);
}

/** One build at a time. The lock is a folder, which can be created only once. A stale lock is taken over. */
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
