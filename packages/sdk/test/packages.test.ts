import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { type OutputChunk, rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SDK_VERSION } from '../src/core/sdk-version.ts';
import { ensureBuilt, repository, SDK_NAMES } from './support/built-sdks.ts';

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'postern-packages-'));
  await run(process.execPath, ['scripts/pack-sdks.mjs', '--output', folder], { cwd: repository });
});
afterAll(() => rm(folder, { recursive: true }));

/** The files that the service serves. */
async function packed(name: string): Promise<ArrayBuffer> {
  const bytes = await readFile(join(folder, `postern-${name}-${SDK_VERSION}.tgz`));
  return new Uint8Array(bytes).buffer;
}

interface Attw {
  createPackageFromTarballData(tarball: Uint8Array): object;
  checkPackage(tarball: object): Promise<{ types: unknown; problems: { entrypoint?: string }[] }>;
}

/** The checker’s own engine, because its command would load TypeScript again for each package. */
async function loadAttw(): Promise<Attw> {
  const command = createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json');
  return import(pathToFileURL(createRequire(command).resolve('@arethetypeswrong/core')).href);
}

const PEERS = ['react', 'expo-application', 'react-native-device-info'];

/** The output of an app’s bundler for `source`, with the published files of the packages. */
async function bundled(source: string): Promise<OutputChunk[]> {
  const input = join(folder, `entry-${Math.random().toString(36).slice(2)}.js`);
  await writeFile(input, source);
  const build = await rolldown({
    input,
    platform: 'browser',
    external: [...PEERS, /^node:/],
    resolve: { modules: [join(repository, 'node_modules')] },
    tsconfig: false,
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  return output.filter((part) => part.type === 'chunk');
}

describe.each(SDK_NAMES)('%s', (name) => {
  const pkgDir = join(repository, 'packages', name);

  it('is packed as its manifest says, with its licence', async () => {
    const { messages } = await publint({ pack: { tarball: await packed(name) }, strict: true });
    expect(messages).toEqual([]);
    const licence = (where: string) => readFileSync(join(where, 'LICENSE'), 'utf8');
    expect(licence(pkgDir)).toBe(licence(repository));
  });

  it('has types that resolve like its code', async () => {
    const { checkPackage, createPackageFromTarballData } = await loadAttw();
    const tarball = createPackageFromTarballData(new Uint8Array(await packed(name)));
    const { types, problems } = await checkPackage(tarball);
    expect(types).toMatchObject({ kind: 'included' });
    // The page’s script is for <script> and not for import; edge runtimes have neither CommonJS nor node10.
    const exempt = ['./postern.js', './edge'];
    expect(problems.filter(({ entrypoint = '' }) => !exempt.includes(entrypoint))).toEqual([]);
  });

  it('adds nothing to a bundle that does not use it', async () => {
    const [chunk] = await bundled(`import 'postern~${name}'; import * as unused from 'postern~${name}';`);
    expect(chunk?.code.replace(/^import["'][^"']+["'];/gm, '').trim()).toBe('');
  });
});

it('the server SDK for edge runtimes imports nothing', async () => {
  await run('tar', ['xzf', `postern-sdk-node-${SDK_VERSION}.tgz`, 'package/edge.js'], { cwd: folder });
  const code = await readFile(join(folder, 'package/edge.js'), 'utf8');
  expect(code).not.toMatch(/^import |\bfrom ["']|require\(["']|\bBuffer\b|\bprocess\.env/m);
});

describe('an import', () => {
  it('has no side effects: no global, no timer, no handle, no listener', async () => {
    // The module loader’s own file requests are ignored, because they end by themselves.
    const script = `
      const state = () => ({
        globals: Reflect.ownKeys(globalThis).length,
        handles: process.getActiveResourcesInfo().filter((name) => !name.endsWith('Req')),
        listeners: process.eventNames().length,
      });
      const before = state();
      for (const name of ${JSON.stringify(SDK_NAMES)}) await import('postern~' + name);
      console.log(JSON.stringify({ before, after: state() }));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
      cwd: repository,
    });
    const { before, after } = JSON.parse(stdout);
    expect(after).toEqual(before);
  });
});

describe('no server code', () => {
  it.each(SDK_NAMES.filter((name) => name !== 'sdk-node'))('is inside %s', async (name) => {
    const chunks = await bundled(`export * from 'postern~${name}';`);
    const modules = chunks.flatMap((chunk) => chunk.moduleIds);
    const strangers = modules.filter(
      (id) =>
        !/packages\/sdk(-react-native)?\/dist\//.test(id) &&
        !/packages\/contract\/dist\/(languages\/|(keys|challenges)\.js$)/.test(id) &&
        !/@fingerprintjs\/fingerprintjs\/dist\/fp\.esm\.js$/.test(id) &&
        !/\/entry-\w+\.js$|rolldown/.test(id),
    );
    expect(strangers).toEqual([]);
    expect(
      chunks
        .flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports])
        .filter((id) => /^node:/.test(id)),
    ).toEqual([]);
    expect(chunks.map((chunk) => chunk.code).join('\n')).not.toMatch(/\bprocess\.|require\(["']|\bBuffer\b/);
  });
});

it('React Native’s SDK uses nothing that its engine does not support', async () => {
  const [chunk] = await bundled(`export * from 'postern~sdk-react-native';`);
  expect(chunk?.code).not.toMatch(/\\p\{|\(\?<[=!]|AbortSignal\.(any|timeout)|TextEncoder|crypto\.subtle/);
});

describe('tree-shaking', () => {
  it('keeps only the used parts of the browser SDK', async () => {
    const [chunk] = await bundled(`export { checkLocally } from 'postern~sdk';`);
    expect(chunk?.code).not.toMatch(/fetch|AbortController|setTimeout/);
    expect(chunk?.code.length).toBeLessThan(3_000);
  });

  it('keeps only the used parts of the server SDK', async () => {
    const [chunk] = await bundled(`export { emailHash } from 'postern~sdk-node';`);
    expect(chunk?.code.length).toBeLessThan(1_500);
  });
});
