import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { gunzipSync } from 'node:zlib';

/** A line longer than this is not a line of a list. */
const MAX_LINE = 64 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** The lines of a file, without the whole file in memory. A file ending in `.gz` is unpacked first. */
export function* linesOf(file: string): Generator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for (const chunk of file.endsWith('.gz') ? unpacked(file) : chunksOf(file)) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) throw new Error(`has a line of more than ${MAX_LINE} characters`);
    yield* lines;
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
}

function* chunksOf(file: string): Generator<Buffer> {
  const handle = openSync(file, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk))
      yield chunk.subarray(0, read);
  } finally {
    closeSync(handle);
  }
}

function* unpacked(file: string): Generator<Buffer> {
  const bytes = gunzipSync(readFileSync(file));
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
