import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const MAX_FIRST_LOAD_BYTES = 240 * 1024;
const MAX_FIRST_LOAD_FILES = 8;
const html = readFileSync(join(DIST, 'index.html'), 'utf8');

/** The file and everything that it imports statically: what the browser must load before it runs. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const code = readFileSync(join(DIST, 'assets', name), 'utf8');
  for (const [, imported] of code.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) {
    if (imported !== undefined) withImports(imported, found);
  }
  return found;
}

const gzipped = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + gzipSync(readFileSync(join(DIST, 'assets', name))).length, 0);

describe('the dashboard’s build', () => {
  const entry = /src="\/dashboard\/assets\/([\w.-]+\.js)"/.exec(html)?.[1] ?? '';
  const style = /href="\/dashboard\/assets\/([\w.-]+\.css)"/.exec(html)?.[1] ?? '';
  const chunks = readdirSync(join(DIST, 'assets')).filter((name) => name.endsWith('.js'));
  const chunkOf = (page: string) => {
    const chunk = chunks.find((name) => name.startsWith(`${page}-`));
    if (chunk === undefined) throw new Error(`${page} has no chunk of its own`);
    return chunk;
  };

  it.each([
    'sign-in-page',
    'projects-page',
    'overview-page',
    'validations-page',
    'policy-page',
    'thing-page',
    'things-page',
    'settings-page',
    'review-page',
    'rules-page',
    'rule-editor-page',
    'account-page',
  ])('loads less than 240 KB, gzipped, in at most eight files to show %s for the first time', (page) => {
    const names = withImports(entry);
    if (page !== 'sign-in-page') withImports(chunkOf('app-shell'), names);
    withImports(chunkOf(page), names).add(style);
    expect(names.size).toBeGreaterThan(3);
    const withHtml = gzipSync(html).length + gzipped(names);
    expect(withHtml).toBeLessThan(MAX_FIRST_LOAD_BYTES);
    // The page itself is one more.
    expect(names.size + 1).toBeLessThanOrEqual(MAX_FIRST_LOAD_FILES);
  });

  it('contains no schemas: the service reads bodies', () => {
    for (const name of chunks)
      expect(readFileSync(join(DIST, 'assets', name), 'utf8'), name).not.toMatch(
        /safeParse|unrecognized_keys/,
      );
  });

  it('has no inline scripts or styles, and refers to no other host', () => {
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  it('has compressed copies that unpack to the same bytes', async () => {
    const { brotliDecompressSync, gunzipSync } = await import('node:zlib');
    for (const name of [entry, chunkOf('app-shell')]) {
      const path = join(DIST, 'assets', name);
      expect(brotliDecompressSync(readFileSync(`${path}.br`)).equals(readFileSync(path))).toBe(true);
      expect(gunzipSync(readFileSync(`${path}.gz`)).equals(readFileSync(path))).toBe(true);
    }
  });
});
