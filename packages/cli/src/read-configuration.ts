import { open } from 'node:fs/promises';
import type { Path, SourceDocument } from '@postern/service/operations/configuration/source-document';
import type { Document, LineCounter } from 'yaml';
import { ExpectedError } from './failure.ts';
import { readBounded } from './read-bounded.ts';

/** A project with full lists has about 4 MB. */
const MAX_MB = 64;
const STANDARD_INPUT = '-';

/** The documents of the files, or of standard input if no file is named. JSON is YAML too. */
export async function readConfiguration(
  files: readonly string[],
  input: AsyncIterable<Uint8Array>,
): Promise<SourceDocument[]> {
  const documents: SourceDocument[] = [];
  for (const file of files.length === 0 ? [STANDARD_INPUT] : files) {
    const name = file === STANDARD_INPUT ? 'standard input' : file;
    const bytes = await readBounded(file === STANDARD_INPUT ? input : readNamed(file), MAX_MB * 1024 * 1024);
    if (bytes === undefined) throw new ExpectedError(`${name}: a file has at most ${MAX_MB} MB.`);
    documents.push(...(await parseDocuments(name, bytes.toString('utf8'))));
  }
  return documents;
}

async function* readNamed(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* (await open(file)).createReadStream();
  } catch (error) {
    throw new ExpectedError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

async function parseDocuments(name: string, text: string): Promise<SourceDocument[]> {
  const { isScalar, isSeq, LineCounter, parseAllDocuments } = await import('yaml');
  const lines = new LineCounter();
  const all = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  // For a text without any document, the library returns something else than a list.
  const documents = Array.isArray(all) ? all : [];
  const faults = documents.flatMap(({ errors }) => errors);
  if (faults.length > 0)
    throw new ExpectedError(
      faults.map(({ pos: [at], message }) => `${place(name, lines, at)}: ${message}`).join('\n'),
    );
  const given = documents.flatMap((document) => {
    // `---` at the end of a file begins a document that says nothing.
    const { contents } = document;
    if (contents === null || (isScalar(contents) && contents.value === null)) return [];
    const placeOf = (path: Path) => place(name, lines, offsetOf(document, path));
    const value = contentOf(document, placeOf(isSeq(contents) ? [0] : []));
    if (!isSeq(contents)) return [{ value, placeOf }];
    // A list stands for one document per item.
    return contents.items.map((_, index) => ({
      value: (value as unknown[])[index],
      placeOf: (path: Path) => placeOf([index, ...path]),
    }));
  });
  // An empty list says that there is no project. An empty file says nothing, and is probably another one than was meant.
  if (given.length === 0 && !documents.some(({ contents }) => isSeq(contents)))
    throw new ExpectedError(`${name}: There is no document in it.`);
  return given;
}

function contentOf(document: Document, placeOfFault: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // Aliases that would grow without end.
    throw new ExpectedError(`${placeOfFault}: ${(error as Error).message}`);
  }
}

/** Where the value begins, or the nearest one around it. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as
      | { readonly range?: readonly number[] | null }
      | undefined;
    const [offset] = node?.range ?? [];
    if (offset !== undefined) return offset;
  }
  return 0;
}

function place(name: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${name}:${line}:${col}`;
}
