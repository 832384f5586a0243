import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type OutputChunk, rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SDK_VERSION } from '../src/core/sdk-version.ts';
import { repository } from './support/built-sdks.ts';
import { gzippedBytes } from './support/bundle.ts';

const run = promisify(execFile);
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const packed = join(repository, 'packages/service/dist/sdk');
let folder: string;
let chunks: OutputChunk[];

/** The README’s row for it: `| What a page loads first | 6 KB |`. */
function statedBytes(what: string): number {
  const row = readme.split('\n').find((line) => line.startsWith(`| ${what}`));
  return Number(/(\d+) KB/.exec(row ?? '')?.[1]) * 1024;
}

/** As an app’s bundler sees it: the tarball that the service hands out, minified, dynamic imports in chunks. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-size-'));
  await run('tar', ['xzf', join(packed, `postern-sdk-${SDK_VERSION}.tgz`)], { cwd: folder });
  const input = join(folder, 'app.js');
  await writeFile(
    input,
    `import { createPosternClient } from './package/index.js';
     createPosternClient({ baseUrl: 'https://p.test', projectId: 'p', apiKey: 'k' }).attach('#sign-up');`,
  );
  const build = await rolldown({ input, platform: 'browser', tsconfig: false });
  const { output } = await build.generate({ format: 'esm', minify: true, chunkFileNames: '[name].js' });
  await build.close();
  chunks = output.filter((part) => part.type === 'chunk');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sizeOf = (name: RegExp) => gzippedBytes(chunks.find(({ fileName }) => name.test(fileName))?.code ?? '');

describe('the size, gzipped, of', () => {
  it('what a page loads first is what the README says, without the fingerprint', () => {
    const entry = chunks.find(({ isEntry }) => isEntry);
    const first = chunks.filter((chunk) => chunk.isEntry || entry?.imports.includes(chunk.fileName));
    const bytes = first.reduce((sum, chunk) => sum + gzippedBytes(chunk.code), 0);
    expect(bytes).toBeGreaterThan(4_000);
    expect(bytes).toBeLessThanOrEqual(statedBytes('What a page loads first'));
    expect(first.map(({ code }) => code).join()).not.toMatch(/webgl|Meinten Sie/i);
  });

  it.each([
    ['The fingerprint', /^fingerprint-chunk/],
    ['The languages', /^languages-chunk/],
    ['The step-up', /^step-up-chunk/],
  ])('%s is what the README says', (what, name) => {
    expect(sizeOf(name)).toBeGreaterThan(1_000);
    expect(sizeOf(name)).toBeLessThanOrEqual(statedBytes(what));
  });

  it('the one-file script is what the README says, and less with Brotli', async () => {
    const [gzip, brotli] = await Promise.all(
      ['gz', 'br'].map((end) => stat(join(packed, `postern.js.${end}`))),
    );
    expect(gzip?.size).toBeLessThanOrEqual(statedBytes('`postern.js`'));
    expect(brotli?.size).toBeLessThan(gzip?.size ?? 0);
  });
});
