/**
 * `npm run icons`: writes packages/dashboard/src/icons.ts, the shapes of the icons of lucide-react that the dashboard
 * imports. The whole package is 4,700 files and 50 MB, which every `npm start` would install. With `--check` it only
 * compares; a test runs it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Refusal, ROOT, run, say } from './checkout.mjs';

const SOURCES = join(ROOT, 'packages/dashboard/src');
const FILE = join(SOURCES, 'icons.ts');
const IMPORT = /import (?:type )?\{([^}]*)\} from '(?:\.\.?\/)+icons\.ts'/g;
const PACKAGE = dirname(createRequire(import.meta.url).resolve('lucide-react/package.json'));

/** The names that the dashboard’s sources import from `icons.ts`. */
function importedNames() {
  const names = readdirSync(SOURCES, { recursive: true })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(join(SOURCES, file), 'utf8').matchAll(IMPORT)])
    .flatMap(([, list]) => list.split(','))
    .map((item) => item.trim().replace(/ as .*$/, ''))
    .filter((name) => name !== '');
  return [...new Set(names)].sort();
}

/** The component’s only child carries the shapes. */
function shapesOf(component) {
  const { node } = component.render({}, null).props.icon;
  return JSON.stringify(node.map(([tag, { key: _key, ...attributes }]) => [tag, attributes]));
}

await run(async () => {
  const lucide = await import('lucide-react');
  const names = importedNames();
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  const text = [
    `/* Made by \`npm run icons\` from lucide-react ${version}. Do not edit.\n`,
    `${readFileSync(join(PACKAGE, 'LICENSE'), 'utf8').trim()} */`,
    "import { createIcon } from './components/create-icon.ts';\n",
    ...names.map((name) => `export const ${name} = /* @__PURE__ */ createIcon(${shapesOf(lucide[name])});`),
    '',
  ].join('\n');
  if (!process.argv.includes('--check')) writeFileSync(FILE, text);
  else if (readFileSync(FILE, 'utf8') !== text)
    throw new Refusal('packages/dashboard/src/icons.ts is out of date: npm run icons');
  say(`${names.length} icons`);
});
