import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type ListOrigin, readJson, readRows, readWords } from './read-list.ts';

const folder = fileURLToPath(new URL('../../lists/', import.meta.url));
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length).replace(/^\/+/, ''))
  .filter((name) => name !== 'index.json' && name !== 'README.md')
  .sort();
const index = readJson<Record<string, ListOrigin>>('index.json');

describe('the lists', () => {
  it('each have a source, a licence and a date', () => {
    expect(Object.keys(index).sort()).toEqual(files);
    for (const [name, { source, licence, date }] of Object.entries(index)) {
      expect(source, name).not.toBe('');
      expect(licence, name).toMatch(/MIT|CC0|CC-BY|Apache|BSD|MPL|PDDL/);
      expect(date, name).toMatch(/^20\d\d-[01]\d-[0-3]\d$/);
    }
  });

  // Another test holds the packed tables of networks equal to their sources.
  it.each(files.filter((name) => !name.endsWith('.gz')))('%s can be read and has entries', (name) => {
    if (name.endsWith('.json')) expect(Object.keys(readJson<object>(name)).length).toBeGreaterThan(0);
    else if (name.endsWith('.tsv')) {
      const rows = readRows(name);
      expect(rows.length).toBeGreaterThan(0);
      expect(new Set(rows.map((row) => row.length)).size, 'every row has the same columns').toBe(1);
      expect(new Set(rows.map(([key, more]) => `${key} ${more}`)).size, 'no entry occurs twice').toBe(
        rows.length,
      );
    } else expect(readWords(name).length).toBeGreaterThan(0);
  });
});
