// Joins the service’s sources and the packages it uses into a few files, in packages/service/dist/bundle. Loading a
// thousand small files was most of the time that a start took. Nothing is minified, so stack traces stay readable.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './checkout.mjs';

const SOURCES = join(ROOT, 'packages/service/src');
const OUTPUT = join(ROOT, 'packages/service/dist/bundle');
const RECORD = join(OUTPUT, 'files.json');

/** Programs in one group share files. The store’s thread has a file of its own, because it starts twice. */
const GROUPS = [{ main: 'main.ts', serve: 'serve.ts' }, { 'sqlite-worker': 'sqlite-worker.ts' }];

/** These stay in node_modules. */
function isExternal(id) {
  // A native binary; what `pg` uses only where it is installed; what Fastify loads only for routes with a schema.
  return /^(libsql|pg-native|@fastify\/(ajv|fast-json-stringify)-compiler)$/.test(id);
}

/** The service finds its data and its other programs from the place of the compiled module. */
const keepPlaces = {
  name: 'keep-places',
  transform(code, id) {
    if (!id.startsWith(SOURCES + sep) || !code.includes('import.meta.url')) return null;
    const compiled = relative(SOURCES, id).replaceAll(sep, '/').replace(/\.ts$/, '.js');
    const place = `new URL('../${compiled}', import.meta.url).href`;
    return { code: code.replaceAll('import.meta.url', place), map: null };
  },
};

async function bundle(input) {
  const build = await rolldown({
    cwd: SOURCES,
    input,
    platform: 'node',
    tsconfig: false,
    external: isExternal,
    plugins: [keepPlaces],
    // The service itself does not load the SQLite driver, only its thread does.
    treeshake: { moduleSideEffects: 'no-external' },
  });
  const { output } = await build.write({
    dir: OUTPUT,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  return output.map(({ fileName }) => fileName);
}

const before = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : [];
const files = (await Promise.all(GROUPS.map(bundle))).flat();
writeFileSync(RECORD, JSON.stringify(files));
// A service that runs from the last build still loads parts of it: the sign-in library, the mail library.
const kept = new Set([...before, ...files, 'files.json']);
for (const name of readdirSync(OUTPUT)) if (!kept.has(name)) rmSync(join(OUTPUT, name));
