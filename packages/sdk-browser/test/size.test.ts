import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundle, bundlePageScript, gzippedBytes } from './support/bundle.ts';

const entry = new URL('../src/index.ts', import.meta.url).pathname;
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1);

describe('the size', () => {
  it('of what a page loads first is at most 8 KB gzip', async () => {
    const chunks = await bundle(entry);
    const first = chunks.filter((chunk) => chunk.isEntry || chunks[0]?.imports.includes(chunk.fileName));
    const bytes = first.reduce((sum, chunk) => sum + gzippedBytes(chunk.code), 0);
    expect(bytes).toBeLessThanOrEqual(8 * 1024);
    expect(readme).toContain(`${kilobytes(bytes)} KB`);
    expect(first.some((chunk) => chunk.code.includes('FingerprintJS'))).toBe(false);
  });

  it('of the fingerprint’s chunk and of the one-file script is as the README says', async () => {
    const chunks = await bundle(entry);
    const fingerprint = chunks.find((chunk) => chunk.fileName === 'fingerprint.js');
    expect(readme).toContain(`${kilobytes(gzippedBytes(fingerprint?.code ?? ''))} KB`);
    expect(readme).toContain(`${kilobytes(gzippedBytes(await bundlePageScript()))} KB`);
  });
});
