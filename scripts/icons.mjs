/**
 * `npm run icons`: writes packages/dashboard/src/icons: the icons of lucide-react that the dashboard imports, the code of
 * lucide-react that draws them, and their types. One file each, so that a page loads only its own. The whole package is
 * 4,700 files and 50 MB, which every `npm start` would install. With `--check` it only compares; a test runs it.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { rolldown } from 'rolldown';
import { ROOT, run, say, Trouble } from './checkout.mjs';

const SOURCES = join(ROOT, 'packages/dashboard/src');
const FOLDER = join(SOURCES, 'icons');
const IMPORT = /import (?:type )?\{([^}]*)\} from '(?:\.\.?\/)+icons\/index\.js'/g;
const PACKAGE = dirname(createRequire(import.meta.url).resolve('lucide-react/package.json'));
const TYPE = 'LucideIcon';
const ENTRY = '\0icons';

/** The names that the dashboard’s sources import from `icons/index.js`. */
function importedNames() {
  const names = readdirSync(SOURCES, { recursive: true })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(join(SOURCES, file), 'utf8').matchAll(IMPORT)])
    .flatMap(([, list]) => list.split(','))
    .map((item) =>
      item
        .trim()
        .replace(/^type /, '')
        .replace(/ as .*$/, ''),
    )
    .filter((name) => name !== '' && name !== TYPE);
  return [...new Set(names)].sort();
}

/** The package’s files that these icons need, without what they do not use. */
async function bundle(names) {
  const build = await rolldown({
    cwd: SOURCES,
    input: ENTRY,
    external: ['react'],
    tsconfig: false,
    // It warns of `use client`, which matters only to servers that render React.
    logLevel: 'silent',
    plugins: [
      {
        name: 'icons',
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) => (id === ENTRY ? `export { ${names.join(', ')} } from 'lucide-react';` : null),
      },
    ],
  });
  const { output } = await build.generate({
    format: 'esm',
    comments: false,
    preserveModules: true,
    preserveModulesRoot: join(PACKAGE, 'dist/esm'),
    entryFileNames: ({ facadeModuleId }) => (facadeModuleId === ENTRY ? 'index.js' : '[name].js'),
  });
  await build.close();
  // Comments name the place of each module in node_modules.
  return output.map(({ fileName, code }) => [fileName, code.replace(/^\/\/.*\n/gm, '')]);
}

function types(names) {
  return `import type { ForwardRefExoticComponent, RefAttributes, SVGProps } from 'react';

export type ${TYPE} = ForwardRefExoticComponent<
  Omit<SVGProps<SVGSVGElement>, 'ref'> & RefAttributes<SVGSVGElement> & { size?: number | string }
>;

${names.map((name) => `export declare const ${name}: ${TYPE};`).join('\n')}
`;
}

/** What is in the folder now. */
function present() {
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => relative(FOLDER, join(parentPath, name)))
      .map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')]),
  );
}

await run(async () => {
  const names = importedNames();
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  const files = {
    ...Object.fromEntries(await bundle(names)),
    'index.d.ts': types(names),
    LICENSE: readFileSync(join(PACKAGE, 'LICENSE'), 'utf8'),
    NOTICE: `Made by \`npm run icons\` from lucide-react ${version}. Do not edit.\n`,
  };
  if (!process.argv.includes('--check')) {
    rmSync(FOLDER, { recursive: true, force: true });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(FOLDER, name)), { recursive: true });
      writeFileSync(join(FOLDER, name), text);
    }
  } else if (!isDeepStrictEqual(present(), files)) {
    throw new Trouble('packages/dashboard/src/icons is out of date: npm run icons');
  }
  say(`${names.length} icons`);
});
