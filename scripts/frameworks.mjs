import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './checkout.mjs';

/** The table of frameworks with the texts of its files, all of them from `examples/`. */
export function readFrameworks() {
  const table = JSON.parse(readFileSync(join(ROOT, 'examples/frameworks.json'), 'utf8'));
  return table.map(({ folder, files, ...framework }) => ({
    ...framework,
    files: files.map((file) => ({
      ...file,
      code: readFileSync(join(ROOT, 'examples', folder, file.path), 'utf8'),
    })),
  }));
}
