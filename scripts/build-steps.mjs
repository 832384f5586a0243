import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { execute, folderFault, isDiskFull, Refusal, ROOT, say, withLock } from './checkout.mjs';
import { readNavigation } from './docs-site/navigation.mjs';
import { replaceBuild } from './replace-build.mjs';
import { SDKS } from './sdk-packages.mjs';

const COMPILED = ['contract', 'service', 'cli'];
const RECORD = join(ROOT, '.postern-build.json');

/**
 * The build steps of the service. A step runs if the contents of its inputs changed since its last run, or if its
 * output is missing. File times are not used, because a clone, a copy or a branch switch changes all of them.
 */
const STEPS = [
  {
    name: 'code',
    message: 'Compiling TypeScript…',
    inputs: [
      'package-lock.json',
      'scripts/compile-code.mjs',
      'scripts/bundle-service.mjs',
      ...COMPILED.flatMap(packageInputs),
    ],
    outputs: [...COMPILED.map((name) => `packages/${name}/dist`), 'packages/service/dist/bundle/files.json'],
    run: compile,
  },
  {
    name: 'data',
    message: 'Compiling the bundled domain and network data…',
    when: 'packages/service/src/feeds/compile-bundled.ts',
    inputs: [
      'package-lock.json',
      'packages/service/lists',
      ...['feeds', 'lists', 'lookup', 'model'].map((folder) => `packages/service/src/${folder}`),
    ],
    outputs: ['packages/service/dist/data/domains.bin', 'packages/service/dist/data/networks.bin'],
    run: compileData,
  },
  {
    name: 'dashboard',
    /** The API does not need it, so a start continues without it. */
    optional: true,
    message: 'Building the dashboard…',
    when: 'packages/dashboard/vite.config.ts',
    inputs: ['package-lock.json', 'packages/dashboard', 'packages/contract/src'],
    outputs: ['packages/dashboard/dist/index.html'],
    run: buildDashboard,
  },
  {
    name: 'sdks',
    /** If they are missing, `/sdk` answers 404 and everything else works. */
    optional: true,
    message: 'Packing the SDKs…',
    when: 'scripts/pack-sdks.mjs',
    inputs: [
      'package-lock.json',
      'scripts/pack-sdks.mjs',
      'scripts/bundle-sdk.mjs',
      'scripts/sdk-packages.mjs',
      'scripts/tar-archive.mjs',
      'scripts/frameworks.mjs',
      'examples',
      'packages/contract/src',
      ...SDKS.flatMap(({ name }) => [...packageInputs(name), `packages/${name}/README.md`]),
    ],
    outputs: ['packages/service/dist/sdk/manifest.json'],
    run: () => mustRun(join(ROOT, 'scripts', 'pack-sdks.mjs'), [], 'The SDKs could not be packed'),
  },
  {
    name: 'docs',
    /** If they are missing, `/docs` is the API reference alone. */
    optional: true,
    message: 'Building the docs…',
    when: 'docs/navigation.json',
    inputs: [
      'package-lock.json',
      'package.json',
      'docs',
      'scripts/docs-site.mjs',
      'scripts/docs-site',
      'packages/contract/src',
      'packages/service/src/http/routes/docs-page.ts',
      'packages/dashboard/public/icon.svg',
      ...pagesOutsideDocs(),
    ],
    outputs: ['packages/service/dist/docs/front.html'],
    run: () => mustRun(join(ROOT, 'scripts', 'docs-site.mjs'), [], 'The docs could not be built'),
  },
];

/** The site’s Markdown files that are not in `docs/`. */
function pagesOutsideDocs() {
  if (!existsSync(join(ROOT, 'docs', 'navigation.json'))) return [];
  return readNavigation()
    .flatMap(({ pages }) => pages)
    .flatMap(({ file }) => (file === undefined || file.startsWith('docs/') ? [] : [file]));
}

function packageInputs(name) {
  return [`packages/${name}/src`, `packages/${name}/package.json`, `packages/${name}/tsconfig.json`];
}

/**
 * `only` names the steps that the caller needs; by default all. With `lenient`, an optional step that fails is reported
 * and skipped. Returns the names of the steps that ran.
 */
export async function build({ force = false, only, lenient = false } = {}) {
  const steps = STEPS.filter(({ name }) => only === undefined || only.includes(name));
  const pending = force || steps.some((step) => isPending(step));
  const ran = pending ? await withLock(() => runSteps(steps, { force, lenient })) : [];
  await recordCommit();
  return ran;
}

/** Tells the service which commit it was built from. The image’s build has no `.git` and passes POSTERN_COMMIT. */
async function recordCommit() {
  const folder = join(ROOT, 'packages/service/dist');
  if (!existsSync(folder)) return;
  const file = join(folder, 'commit.txt');
  const commit = process.env.POSTERN_COMMIT || (await headCommit()) || '';
  if (!existsSync(file) || readFileSync(file, 'utf8') !== commit) writeFileSync(file, commit);
}

async function headCommit() {
  if (!existsSync(join(ROOT, '.git'))) return undefined;
  try {
    const { code, text } = await execute('git', ['rev-parse', 'HEAD'], { output: 'quiet' });
    return code === 0 ? text.trim() : undefined;
  } catch {
    return undefined; // git is not installed.
  }
}

/** The code step runs first, because the others depend on it. The others then run in parallel. */
async function runSteps(steps, options) {
  const isCode = ({ name }) => name === 'code';
  const first = await runStage(steps.filter(isCode), options);
  const second = await runStage(
    steps.filter((step) => !isCode(step)),
    options,
  );
  return [...first, ...second];
}

async function runStage(steps, { force, lenient }) {
  // Checked again at each stage, because recompiling removes the output of the data step.
  const pending = steps.filter((step) => applies(step) && (force || isPending(step)));
  const runs = await Promise.allSettled(pending.map((step) => runStep(step, force)));
  for (const [index, { status, reason }] of runs.entries()) {
    if (status === 'fulfilled') continue;
    if (!lenient || !pending[index].optional) throw reason;
    say(`The ${pending[index].name} could not be built; continuing without it. \`npm run build\` shows why.`);
  }
  return pending.filter((_, index) => runs[index].status === 'fulfilled').map(({ name }) => name);
}

async function runStep(step, force) {
  say(step.message);
  const digest = digestOf(step.inputs);
  await step.run({ anew: force || !hasAllOutputs(step) });
  writeRecord({ ...readRecord(), [step.name]: digest });
}

function applies(step) {
  return step.when === undefined || existsSync(join(ROOT, step.when));
}

function isPending(step) {
  return applies(step) && (!hasAllOutputs(step) || readRecord()[step.name] !== digestOf(step.inputs));
}

function hasAllOutputs(step) {
  return step.outputs.every((path) => existsSync(join(ROOT, path)));
}

async function compile({ anew }) {
  // The declarations of `npm run types` are there too, and its build info says “up to date” even if they were removed.
  if (anew) {
    for (const name of COMPILED) {
      rmSync(join(ROOT, 'packages', name, 'dist'), { recursive: true, force: true });
      rmSync(join(ROOT, 'packages', name, 'tsconfig.tsbuildinfo'), { force: true });
    }
  }
  await mustRun(join(ROOT, 'scripts', 'compile-code.mjs'), COMPILED, 'TypeScript could not be compiled');
  for (const name of COMPILED) copyAssets(join(ROOT, 'packages', name));
  await mustRun(join(ROOT, 'scripts', 'bundle-service.mjs'), [], 'The service could not be bundled');
}

/** Files that the compiler does not copy: SQL migrations and data files. */
function copyAssets(folder) {
  const source = join(folder, 'src');
  for (const path of filesUnder(source)) {
    if (/\.(ts|tsx)$/.test(path)) continue;
    const target = join(folder, 'dist', relative(source, path));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(path, target);
  }
}

async function compileData() {
  const program = join(ROOT, 'packages', 'service', 'dist', 'feeds', 'compile-bundled.js');
  await mustRun(program, [], 'The bundled data could not be compiled');
}

async function buildDashboard() {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const folder = join(ROOT, 'packages', 'dashboard', 'dist');
  // Vite empties its output folder first, and a running service would have no pages until it is done.
  const next = join(folder, '.next');
  await mustRun(
    vite,
    ['build', 'packages/dashboard', '--outDir', next, '--emptyOutDir', '--logLevel', 'warn'],
    'The dashboard could not be built',
  );
  replaceBuild(next, folder);
}

async function mustRun(script, args, fault) {
  const { code, text } = await execute(process.execPath, [script, ...args], { output: 'quiet' });
  if (code === 0) return;
  const folder = folderFault(isDiskFull() ? 'ENOSPC' : text);
  throw new Refusal(
    folder === undefined ? `${fault}:\n${stripVTControlCharacters(text).trim()}` : `${fault}. ${folder}`,
  );
}

function digestOf(paths) {
  const digest = createHash('sha256').update(`node ${process.versions.modules}\n`);
  for (const path of paths) {
    for (const file of filesUnder(join(ROOT, path))) {
      if (/\.test\.tsx?$/.test(file)) continue;
      digest
        .update(`${relative(ROOT, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
    }
  }
  return digest.digest('base64url');
}

const NOT_SOURCE = new Set(['node_modules', 'dist', '.vite']);

function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const full = join(path, entry.name);
    if (entry.isDirectory()) return NOT_SOURCE.has(entry.name) ? [] : filesUnder(full);
    return entry.isFile() ? [full] : [];
  });
}

function readRecord() {
  try {
    return JSON.parse(readFileSync(RECORD, 'utf8'));
  } catch {
    return {};
  }
}

function writeRecord(record) {
  const partial = `${RECORD}.${process.pid}`;
  writeFileSync(partial, `${JSON.stringify(record, null, 2)}\n`);
  renameSync(partial, RECORD);
}
