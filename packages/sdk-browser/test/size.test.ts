import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundle, bundlePageScript, gzippedBytes } from './support/bundle.ts';

const entry = new URL('../src/index.ts', import.meta.url).pathname;
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The README’s row for it: `| What a page loads first | 6 KB |`. */
function statedBytes(what: string): number {
  const row = readme.split('\n').find((line) => line.startsWith(`| ${what}`));
  return Number(/(\d+) KB/.exec(row ?? '')?.[1]) * 1024;
}

describe('the size, gzipped,', () => {
  it('of what a page loads first is at most 9 KB, without the fingerprint', async () => {
    const chunks = await bundle(entry);
    const first = chunks.filter((chunk) => chunk.isEntry || chunks[0]?.imports.includes(chunk.fileName));
    const bytes = first.reduce((sum, chunk) => sum + gzippedBytes(chunk.code), 0);
    expect(bytes).toBeLessThanOrEqual(9 * 1024);
    expect(bytes).toBeLessThanOrEqual(statedBytes('What a page loads first'));
    expect(first.flatMap((chunk) => chunk.moduleIds).join()).not.toMatch(/fingerprintjs|german/);
  });

  it('of the fingerprint and of the one-file script is at most what the README says', async () => {
    const chunks = await bundle(entry);
    const fingerprint = chunks.find((chunk) => chunk.fileName === 'fingerprint.js');
    const bytes = gzippedBytes(fingerprint?.code ?? '');
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(statedBytes('The fingerprint'));
    const languages = gzippedBytes(chunks.find((chunk) => chunk.fileName === 'languages.js')?.code ?? '');
    expect(languages).toBeGreaterThan(1_000);
    expect(languages).toBeLessThanOrEqual(statedBytes('The languages'));
    // The build adds the library’s licence, some 0.6 KB.
    expect(gzippedBytes(await bundlePageScript()) + 700).toBeLessThanOrEqual(statedBytes('`postern.js`'));
  });
});
