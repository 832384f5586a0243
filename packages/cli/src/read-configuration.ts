import { readFile } from 'node:fs/promises';
import type { Path, SourceDocument } from '@postern/service/administration/configuration/source-document';
import type { Document, LineCounter } from 'yaml';
import { ExpectedError } from './failure.ts';

/** A project with full lists has about 4 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
const STANDARD_INPUT = '-';

/** The documents of the files, or of standard input if no file is named. JSON is YAML too. */
export async function readConfiguration(
  files: readonly string[],
  input: AsyncIterable<Uint8Array>,
): Promise<SourceDocument[]> {
  const documents: SourceDocument[] = [];
  for (const file of files.length === 0 ? [STANDARD_INPUT] : files) {
    const name = file === STANDARD_INPUT ? 'standard input' : file;
    documents.push(
      ...(await parsed(name, file === STANDARD_INPUT ? await readAll(input) : await read(file))),
    );
  }
  return documents;
}

async function read(file: string): Promise<string> {
  try {
    return limited(file, await readFile(file));
  } catch (error) {
    if (error instanceof ExpectedError) throw error;
    throw new ExpectedError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

async function readAll(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    size += chunk.length;
    chunks.push(chunk);
    if (size > MAX_BYTES) break;
  }
  return limited('standard input', Buffer.concat(chunks));
}

function limited(name: string, bytes: Buffer): string {
  if (bytes.length > MAX_BYTES)
    throw new ExpectedError(`${name}: a file has at most ${MAX_BYTES / 1024 / 1024} MB.`);
  return bytes.toString('utf8');
}

async function parsed(name: string, text: string): Promise<SourceDocument[]> {
  const { isScalar, isSeq, LineCounter, parseAllDocuments } = await import('yaml');
  const lines = new LineCounter();
  const all = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  const documents = Array.isArray(all) ? all : [];
  const faults = documents.flatMap(({ errors }) => errors);
  if (faults.length > 0)
    throw new ExpectedError(
      faults.map(({ pos: [at], message }) => `${place(name, lines, at)}: ${message}`).join('\n'),
    );
  return documents.flatMap((document) => {
    // `---` at the end of a file begins a document that says nothing.
    const { contents } = document;
    if (contents === null || (isScalar(contents) && contents.value === null)) return [];
    if (!isSeq(contents)) return [sourceOf(name, lines, document, [])];
    return contents.items.map((_, index) => sourceOf(name, lines, document, [index]));
  });
}

function sourceOf(name: string, lines: LineCounter, document: Document, root: Path): SourceDocument {
  const placeOf = (path: Path) => place(name, lines, offsetOf(document, [...root, ...path]));
  try {
    const value: unknown = document.toJS();
    return { value: root.length === 0 ? value : (value as unknown[])[Number(root[0])], placeOf };
  } catch (error) {
    // Aliases that would grow without end.
    throw new ExpectedError(`${placeOf([])}: ${(error as Error).message}`);
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
