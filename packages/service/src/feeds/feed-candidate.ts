import { parseCidr } from '../model/cidr.ts';
import { type AddressRanges, collectRanges } from './address-ranges.ts';
import type { FeedFormat } from './feed-source.ts';
import { createNetworkTableReader } from './network-table.ts';
import { createLineReader } from './read-feed.ts';
import { forEachLine, lineBatches } from './read-lines.ts';
import type { RangeTable } from './read-range-csv.ts';

/** A fetched list that is parsed but not yet checked by the guards. */
export interface FeedCandidate {
  readonly count: number;
  readonly content:
    | { readonly type: 'domains'; readonly entries: ReadonlySet<string> }
    | { readonly type: 'ranges'; readonly entries: ReadonlySet<string>; readonly ranges: AddressRanges }
    /** A table is too long to keep its lines in memory. They are read again from the files when it is archived. */
    | { readonly type: 'table'; readonly table: RangeTable; readonly lines: () => AsyncIterable<string[]> };
}

/** Throws an Error with the reason if the files are not in the expected format. */
export async function readCandidate(files: readonly string[], format: FeedFormat): Promise<FeedCandidate> {
  return format === 'asn-csv' ? readTable(files) : readEntries(files, format);
}

async function readEntries(files: readonly string[], format: FeedFormat): Promise<FeedCandidate> {
  const entries = new Set<string>();
  for (const file of files) {
    const reader = createLineReader(format, (entry) => entries.add(entry));
    await forEachLine(file, reader.add);
    reader.finish();
  }
  const count = entries.size;
  if (format === 'domains') return { count, content: { type: 'domains', entries } };
  const ranges = collectRanges(cidrsOf(entries));
  return { count, content: { type: 'ranges', entries, ranges } };
}

function* cidrsOf(texts: Iterable<string>) {
  for (const text of texts) {
    const cidr = parseCidr(text);
    if (cidr !== undefined) yield cidr;
  }
}

async function readTable(files: readonly string[]): Promise<FeedCandidate> {
  const table = createNetworkTableReader();
  let count = 0;
  for (const file of files) {
    const reader = createLineReader('asn-csv', (line) => {
      count += 1;
      table.add(line);
    });
    await forEachLine(file, reader.add);
    reader.finish();
  }
  return { count, content: { type: 'table', table: table.finish(), lines: () => tableLines(files) } };
}

async function* tableLines(files: readonly string[]): AsyncGenerator<string[]> {
  for (const file of files) {
    for await (const batch of lineBatches(file)) {
      const lines: string[] = [];
      const reader = createLineReader('asn-csv', (line) => lines.push(line));
      for (const line of batch) reader.add(line);
      yield lines;
    }
  }
}
