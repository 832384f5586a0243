import { createHash } from 'node:crypto';
import type { AdministeredStore, DumpPart, DumpRow, LoadFacts } from './administered-store.ts';
import { dumpedTable } from './all-tables.ts';
import { StoreConflict } from './store.ts';
import { hashSecret } from './tables/instance-table.ts';

const FORMAT = 'postern-export';
const FORMAT_VERSION = 1;

/** Everything in the store, or a part, as lines of JSON. The first line is the header. */
export async function* exportStore(store: AdministeredStore, part?: DumpPart): AsyncGenerator<string> {
  yield `${JSON.stringify(await headerOf(store, part))}\n`;
  for await (const { table, row } of store.dump(part)) yield `${JSON.stringify([table, row])}\n`;
  yield `${JSON.stringify({ end: FORMAT })}\n`;
}

/** Imports the output of exportStore, from either back end, all or nothing. `check` throws what is wrong with a row. */
export async function importStore(
  store: AdministeredStore,
  lines: AsyncIterable<string>,
  check: (row: DumpRow) => void = () => {},
): Promise<LoadFacts & { readonly project?: string }> {
  const rest = numbered(lines);
  const first = await rest.next();
  const header = readHeader(first.done ? null : first.value.value);
  if (header.project === undefined) return store.load(parseRows(rest, check));
  if (header.hashKey !== (await hashKeyOf(store)))
    throw new StoreConflict(
      `This store hashes addresses with another key, so it would not recognise the people of ${header.project}. Nothing was imported. Create the store of a new cell with \`postern export --no-projects\` and \`postern import\`.`,
    );
  return { ...(await store.load(parseRows(rest, check), header.project)), project: header.project };
}

interface Header {
  readonly format: string;
  readonly version: number;
  /** Only in the export of one project. */
  readonly project?: string;
  readonly hashKey?: string;
}

async function headerOf(store: AdministeredStore, part: DumpPart | undefined): Promise<Header> {
  const whole = { format: FORMAT, version: FORMAT_VERSION };
  if (part === undefined) return whole;
  // Creates the key if the service has not been started yet, so that a further cell can share it.
  const hashKey = await hashKeyOf(store);
  if (part === 'instance') return whole;
  if ((await store.projects.find(part.project)) === undefined)
    throw new StoreConflict(`There is no project with the ID ${part.project}`);
  return { ...whole, project: part.project, hashKey };
}

/** Identifies the key of the hashes without revealing it. */
async function hashKeyOf({ instance }: AdministeredStore): Promise<string> {
  const secret = await hashSecret(instance);
  return createHash('sha256').update(`postern hash key ${secret}`).digest('base64url').slice(0, 22);
}

interface NumberedLine {
  readonly number: number;
  readonly value: unknown;
}

async function* numbered(lines: AsyncIterable<string>): AsyncGenerator<NumberedLine> {
  let number = 0;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    number += 1;
    yield { number, value: parse(line, number) };
  }
}

async function* parseRows(
  lines: AsyncIterable<NumberedLine>,
  check: (row: DumpRow) => void,
): AsyncGenerator<DumpRow> {
  let last = 1;
  let ended = false;
  for await (const { number, value } of lines) {
    last = number;
    if (Array.isArray(value)) {
      const row = toDumpRow(value, number);
      checkRow(row, number, check);
      yield row;
    } else ended = true;
  }
  if (!ended) throw new Error(`The export is cut off after line ${last}; nothing was imported`);
}

function checkRow(row: DumpRow, number: number, check: (row: DumpRow) => void): void {
  try {
    check(row);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `Line ${number} of the export, ${row.table} ${String(row.row.id ?? '')}: ${reason} Nothing was imported.`,
      { cause: error },
    );
  }
}

function parse(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Error(`Line ${number} of the export is not JSON; nothing was imported`, { cause: error });
  }
}

function readHeader(value: unknown): Partial<Header> {
  const header = value as Partial<Header> | null;
  if (header?.format !== FORMAT) throw new Error('This is not a Postern export');
  if (header.version !== FORMAT_VERSION) {
    throw new Error('The export was made by a newer version of Postern; update this program');
  }
  return header;
}

function toDumpRow([table, row]: unknown[], number: number): DumpRow {
  if (
    typeof table !== 'string' ||
    dumpedTable(table) === undefined ||
    typeof row !== 'object' ||
    row === null
  ) {
    throw new Error(`Line ${number} of the export names an unknown table; nothing was imported`);
  }
  return { table, row } as DumpRow;
}
