// Packs the SDKs as the service serves them: one self-contained tarball for each package, with ESM, CommonJS and types,
// and `postern.js` for plain pages. Everything goes to packages/service/dist/sdk, which every installation has.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { bundlePageScript, OWN_SOURCES } from './bundle-sdk.mjs';
import { ROOT } from './checkout.mjs';
import { readFrameworks } from './frameworks.mjs';
import { replaceBuild } from './replace-build.mjs';
import { SDKS } from './sdk-packages.mjs';
import { tarOf } from './tar-archive.mjs';

const optionOf = (name) =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined;
const OUTPUT = optionOf('--output') ?? join(ROOT, 'packages/service/dist/sdk');
/** The owner’s npm scope, for `publish-sdks.mjs`. Without it the names are those that cannot be registered. */
const SCOPE = optionOf('--scope');
/** npm compares it with the workflow that publishes. */
const { GITHUB_REPOSITORY } = process.env;

/** Peer dependencies that the app provides. Everything else is bundled. */
const PEERS = ['react', 'expo-application', 'react-native-device-info'];

/** Edge runtimes, by the export conditions of their bundlers. They have Web Crypto but no `node:` modules. */
const EDGE_CONDITIONS = ['workerd', 'edge-light', 'deno', 'worker'];

async function bundle({ name, platform, entries }, { format, prefix = '' }) {
  const build = await rolldown({
    cwd: join(ROOT, 'packages', name),
    input: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    platform,
    external: [...PEERS, /^node:/],
    resolve: { alias: OWN_SOURCES },
    tsconfig: false,
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await build.generate({
    format,
    exports: 'named',
    // For server components, where a hook would fail in a way that names nothing of ours.
    banner: ({ name: chunk }) => (name === 'sdk' && chunk === 'react' ? "'use client';" : ''),
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-chunk.js',
  });
  await build.close();
  return output.map(({ fileName, code }) => [`${prefix}${fileName}`, code]);
}

/** Web Crypto instead of `node:crypto`, and the platform’s URL parser instead of tables for international domains. */
async function bundleForEdge(sdk) {
  const source = join(ROOT, 'packages', sdk.name, 'src');
  const build = await rolldown({
    cwd: join(ROOT, 'packages', sdk.name),
    input: { edge: 'src/index.ts' },
    platform: 'neutral',
    resolve: { alias: OWN_SOURCES },
    tsconfig: false,
    plugins: [
      {
        name: 'web-platform',
        resolveId: (id) =>
          /^\.\/(ed25519|ascii-domain)\.ts$/.test(id) ? join(source, id.replace('.ts', '-web.ts')) : null,
      },
    ],
  });
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    codeSplitting: false,
  });
  await build.close();
  return output.map(({ fileName, code }) => [fileName, code]);
}

/** The declarations that an entry needs, its own and those of the packages that are bundled in, with relative imports. */
function declarations(name, entries) {
  const files = new Map();
  const visit = (pkg, file) => {
    const key = posix.join(pkg, file);
    if (files.has(key)) return;
    files.set(key, '');
    const rewritten = declarationOf(pkg, file).replace(
      /(from |import\()(['"])([^'"]+)\2/g,
      (whole, keyword, quote, specifier) => {
        const found = targetOf(pkg, file, specifier);
        if (found === null) return whole;
        visit(...found);
        const path = posix.relative(posix.dirname(key), posix.join(...found)).replace(/\.d\.ts$/, '.js');
        return `${keyword}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
      },
    );
    files.set(key, rewritten);
  };
  for (const entry of entries) visit(name, `${entry}.d.ts`);
  return [...files];
}

/** Every export states its type, so a file alone is enough, without TypeScript, which is 30 MB. */
function declarationOf(pkg, file) {
  const path = join(ROOT, 'packages', pkg, 'src', file.replace(/\.d\.ts$/, '.ts'));
  const { code, errors } = isolatedDeclarationSync(path, readFileSync(path, 'utf8'));
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join('\n')}`);
  return code;
}

function targetOf(pkg, file, specifier) {
  if (specifier === '@postern/contract') return ['contract', 'index.d.ts'];
  if (specifier === 'postern~sdk/core') return ['sdk', 'core.d.ts'];
  if (!specifier.startsWith('.')) return null;
  return [pkg, posix.join(posix.dirname(file), specifier).replace(/\.(ts|js)$/, '.d.ts')];
}

function manifestOf({ name, entries, edge }) {
  const source = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'));
  const { version, description, license, peerDependencies, peerDependenciesMeta } = source;
  const exportsOf = (entry) => ({
    // The other entries are for Node alone.
    ...(edge &&
      entry === 'index' &&
      Object.fromEntries(EDGE_CONDITIONS.map((condition) => [condition, edgeTarget(name)]))),
    import: { types: `./types/${name}/${entry}.d.ts`, default: `./${entry}.js` },
    require: { types: `./cjs/types/${name}/${entry}.d.ts`, default: `./cjs/${entry}.js` },
  });
  const paths = entries.map((entry) => [entry === 'index' ? '.' : `./${entry}`, exportsOf(entry)]);
  return {
    name: SCOPE === undefined ? source.name : `${SCOPE}/${name}`,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines: source.engines,
    ...(SCOPE && GITHUB_REPOSITORY && { repository: `git+https://github.com/${GITHUB_REPOSITORY}.git` }),
    // For tools that do not read `exports`: Metro’s defaults, moduleResolution node10.
    main: './cjs/index.js',
    module: './index.js',
    types: `./cjs/types/${name}/index.d.ts`,
    exports: {
      ...Object.fromEntries(paths),
      ...(edge && { './edge': edgeTarget(name) }),
      ...(name === 'sdk' && { './postern.js': './postern.js' }),
      './package.json': './package.json',
    },
    ...(peerDependencies && { peerDependencies, peerDependenciesMeta }),
  };
}

function edgeTarget(name) {
  return { types: `./types/${name}/index.d.ts`, default: './edge.js' };
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

async function filesOf(sdk, pageScript) {
  const { name, entries, edge } = sdk;
  const folder = join(ROOT, 'packages', name);
  const types = declarations(name, entries);
  const inside = (prefix, files) => files.map(([path, text]) => [`${prefix}${path}`, text]);
  const subpaths = entries.filter((entry) => entry !== 'index');
  return new Map([
    ['package.json', json(manifestOf(sdk))],
    ['README.md', readFileSync(join(folder, 'README.md'), 'utf8')],
    ['LICENSE', readFileSync(join(folder, 'LICENSE'), 'utf8')],
    ...(await bundle(sdk, { format: 'esm' })),
    ...(edge ? await bundleForEdge(sdk) : []),
    ...(await bundle(sdk, { format: 'cjs', prefix: 'cjs/' })),
    ['cjs/package.json', json({ type: 'commonjs' })],
    ...inside('types/', types),
    ...inside('cjs/types/', types),
    ...subpaths.map((entry) => [
      `${entry}/package.json`,
      json({ main: `../cjs/${entry}.js`, types: `../cjs/types/${name}/${entry}.d.ts` }),
    ]),
    ...(name === 'sdk' ? [['postern.js', pageScript]] : []),
  ]);
}

/** The name by content: pages and lock files name a file together with its hash, so a name must never change its content. */
function describeFile(name, file, bytes) {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const integrity = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  return { name, file, keptAs: file.replace(/(?=\.[a-z]+$)/, `-${hash}`), bytes: bytes.length, integrity };
}

/** Browsers get a script compressed as far as possible. Doing that for each request would take too long. */
function compressed(bytes) {
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return [
    ['.br', brotliCompressSync(bytes, { params: quality })],
    ['.gz', gzipSync(bytes, { level: 9 })],
  ];
}

async function packAll() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/sdk/package.json'), 'utf8'));
  const next = join(OUTPUT, '.next');
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next, { recursive: true });
  const described = [];
  const write = (name, file, bytes) => {
    writeFileSync(join(next, file), bytes);
    described.push(describeFile(name, file, Buffer.from(bytes)));
  };
  const pageScript = await bundlePageScript();
  write('postern.js', 'postern.js', pageScript);
  for (const [ending, bytes] of compressed(pageScript))
    writeFileSync(join(next, `postern.js${ending}`), bytes);
  for (const sdk of SDKS) {
    const files = await filesOf(sdk, pageScript);
    const tarball = gzipSync(tarOf(files, 'package/'), { level: 9 });
    write(`postern~${sdk.name}`, `postern-${sdk.name}-${version}.tgz`, tarball);
  }
  writeFileSync(
    join(next, 'manifest.json'),
    json({ version, files: described, frameworks: readFrameworks() }),
  );
  if (existsSync(join(OUTPUT, 'manifest.json'))) rmSync(join(OUTPUT, 'manifest.json'));
  replaceBuild(next, OUTPUT);
}

await packAll();
