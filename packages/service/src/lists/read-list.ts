import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Works from the source and from the compiled code, because both are at the same depth. */
const FOLDER = new URL('../../lists/', import.meta.url);

/** Where a list is, for one that is too large to be read at once. */
export function listPath(name: string): string {
  return fileURLToPath(new URL(name, FOLDER));
}

/** The text of a file in `packages/service/lists`. Source, licence and date of each are in its `index.json`. */
function readList(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}

/** The words of a list, one or more per line. A `#` starts a comment. */
export function readWords(name: string): string[] {
  return readList(name)
    .split('\n')
    .flatMap((line) => (line.split('#')[0] ?? '').split(/\s+/))
    .filter((word) => word !== '');
}

/** The rows of a list with tab-separated columns. Lines that start with `#` are comments. */
export function readRows(name: string): string[][] {
  return readList(name)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
}

/** A list in JSON. Its content is not checked against `Shape`; a test reads every file. */
export function readJson<Shape>(name: string): Shape {
  return JSON.parse(readList(name)) as Shape;
}

export interface ListOrigin {
  readonly source: string;
  readonly licence: string;
  /** The day that the content is from, ISO 8601. */
  readonly date: string;
}

/** Where a list comes from. */
export function listOrigin(name: string): ListOrigin {
  const origin = readJson<Readonly<Record<string, ListOrigin>>>('index.json')[name];
  if (origin === undefined) throw new Error(`lists/index.json has no row for ${name}`);
  return origin;
}
