import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';

/** A line longer than this is not a line of a list. */
const MAX_LINE = 64 * 1024;

/** The lines of a file, a few thousand at a time. A file ending in `.gz` is unpacked while reading. */
export async function* lineBatches(file: string, packed = file.endsWith('.gz')): AsyncGenerator<string[]> {
  const bytes = createReadStream(file);
  const stream: Readable = packed ? pipeline(bytes, createGunzip(), () => {}) : bytes;
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) throw new Error(`has a line of more than ${MAX_LINE} characters`);
    yield lines;
  }
  rest += decoder.end();
  if (rest !== '') yield [rest];
}

export async function forEachLine(file: string, onLine: (line: string) => void): Promise<void> {
  for await (const lines of lineBatches(file)) for (const line of lines) onLine(line);
}

/** Joins lines into chunks that are large enough for a write. */
export async function* joinLines(lines: AsyncIterable<string[]>): AsyncGenerator<string> {
  for await (const batch of lines) if (batch.length > 0) yield `${batch.join('\n')}\n`;
}
