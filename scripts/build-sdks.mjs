// Builds the SDK packages: JavaScript with rolldown, declarations with tsc. With `--if-stale` only if a source is newer
// than the build. Tests use this to make sure that there is a build, several at a time.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { rolldown } from 'rolldown';
import { bundlePageScript } from './bundle-sdk.mjs';
import { ROOT, withLock } from './checkout.mjs';
import { SDKS } from './sdk-packages.mjs';

const PAGE_SCRIPT = join(ROOT, 'packages/sdk/dist/postern.js');

/** Imports of packages by name are kept. The app’s own bundler includes each package once. */
const isPackage = (id) => !id.startsWith('.') && !isAbsolute(id);

async function buildPackage({ name, entries, internal, platform }) {
  const folder = join(ROOT, 'packages', name);
  const build = await rolldown({
    cwd: folder,
    input: Object.fromEntries([...entries, ...internal].map((entry) => [entry, `src/${entry}.ts`])),
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

/** Writes the declarations without checking the types, which `npm run types` does. `tsc -b` starts with the contract. */
function buildDeclarations() {
  // TypeScript does not export the path of its command, but its package.json has it.
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const command = join(dirname(manifest), 'bin/tsc');
  const projects = SDKS.map(({ name }) => join('packages', name));
  execFileSync(process.execPath, [command, '-b', '--noCheck', ...projects], { cwd: ROOT, stdio: 'inherit' });
}

async function buildAll() {
  buildDeclarations();
  for (const sdk of SDKS) await buildPackage(sdk);
  writeFileSync(PAGE_SCRIPT, await bundlePageScript());
}

/** When the newest file under a folder, or the file itself, was written. */
function newestMs(path) {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return 0;
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

function isStale() {
  const sources = [
    ...['contract', ...SDKS.map(({ name }) => name)].map((name) => `packages/${name}/src`),
    ...['build-sdks', 'bundle-sdk', 'sdk-packages'].map((name) => `scripts/${name}.mjs`),
  ];
  // The page script is written last, so its time is the time of the whole build.
  return newestMs(PAGE_SCRIPT) < Math.max(...sources.map((path) => newestMs(join(ROOT, path))));
}

await withLock(async () => {
  if (!process.argv.includes('--if-stale') || isStale()) await buildAll();
});
