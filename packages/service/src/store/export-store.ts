import { type AdministeredStore, DUMP_TABLES, type DumpRow, type LoadFacts } from './administered-store.ts';

const FORMAT = 'postern-export';
const FORMAT_VERSION = 1;

/** Everything in the store as lines of JSON. The first line is the header. */
export async function* exportStore(store: AdministeredStore): AsyncGenerator<string> {
  yield `${JSON.stringify({ format: FORMAT, version: FORMAT_VERSION })}\n`;
  for await (const { table, row } of store.dump()) yield `${JSON.stringify([table, row])}\n`;
  yield `${JSON.stringify({ end: FORMAT })}\n`;
}

/** Imports the output of exportStore, from either back end, all or nothing. */
export function importStore(store: AdministeredStore, lines: AsyncIterable<string>): Promise<LoadFacts> {
  return store.load(parseLines(lines));
}

async function* parseLines(lines: AsyncIterable<string>): AsyncGenerator<DumpRow> {
  let number = 0;
  let ended = false;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    number += 1;
    const value = parse(line, number);
    if (number === 1) expectHeader(value);
    else if (Array.isArray(value)) yield toDumpRow(value, number);
    else ended = true;
  }
  if (!ended) throw new Error(`The export is cut off after line ${number}; nothing was imported`);
}

function parse(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Error(`Line ${number} of the export is not JSON; nothing was imported`, { cause: error });
  }
}

function expectHeader(value: unknown): void {
  const header = value as { format?: unknown; version?: unknown } | null;
  if (header?.format !== FORMAT) throw new Error('This is not a Postern export');
  if (header.version !== FORMAT_VERSION) {
    throw new Error('The export was made by a newer version of Postern; update this program');
  }
}

function toDumpRow([table, row]: unknown[], number: number): DumpRow {
  if (
    typeof table !== 'string' ||
    !Object.hasOwn(DUMP_TABLES, table) ||
    typeof row !== 'object' ||
    row === null
  ) {
    throw new Error(`Line ${number} of the export names an unknown table; nothing was imported`);
  }
  // Exports of earlier versions do not say which sightings were answered `block`.
  const complete = table === 'device' || table === 'device_sighting' ? { blocked: 0, ...row } : row;
  return { table, row: complete } as DumpRow;
}
