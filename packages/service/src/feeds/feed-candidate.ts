import { parseCidr } from '../model/cidr.ts';
import { type AddressRanges, collectRanges } from './address-ranges.ts';
import type { FeedFormat } from './feed-source.ts';
import { createNetworkTableReader } from './network-table.ts';
import { createLineReader } from './read-feed.ts';
import type { RangeTable } from './read-range-csv.ts';

/** A fetched list that is parsed but not yet checked by the guards. */
export interface FeedCandidate {
  readonly count: number;
  readonly content:
    | { readonly type: 'domains'; readonly entries: ReadonlySet<string> }
    | { readonly type: 'ranges'; readonly entries: ReadonlySet<string>; readonly ranges: AddressRanges }
    /** A table is too long to keep its lines in memory. They are read again when it is archived. */
    | { readonly type: 'table'; readonly table: RangeTable; readonly entries: Iterable<string> };
}

/** Throws an Error with the reason if the files are not in the expected format. */
export function readCandidate(files: readonly Iterable<string>[], format: FeedFormat): FeedCandidate {
  return format === 'asn-csv' ? readTable(files) : readEntries(files, format);
}

function readEntries(files: readonly Iterable<string>[], format: FeedFormat): FeedCandidate {
  const entries = new Set<string>();
  for (const lines of files) {
    const reader = createLineReader(format, (entry) => entries.add(entry));
    for (const line of lines) reader.add(line);
    reader.finish();
  }
  const count = entries.size;
  if (format === 'domains') return { count, content: { type: 'domains', entries } };
  const ranges = collectRanges(cidrsOf(entries));
  return { count, content: { type: 'ranges', entries, ranges } };
}

export function* cidrsOf(texts: Iterable<string>) {
  for (const text of texts) {
    const cidr = parseCidr(text);
    if (cidr !== undefined) yield cidr;
  }
}

function readTable(files: readonly Iterable<string>[]): FeedCandidate {
  const table = createNetworkTableReader();
  let count = 0;
  for (const lines of files) {
    const reader = createLineReader('asn-csv', (line) => {
      count += 1;
      table.add(line);
    });
    for (const line of lines) reader.add(line);
    reader.finish();
  }
  const entries = { [Symbol.iterator]: () => tableLines(files) };
  return { count, content: { type: 'table', table: table.finish(), entries } };
}

function* tableLines(files: readonly Iterable<string>[]): Generator<string> {
  for (const lines of files) {
    let entry: string | undefined;
    const reader = createLineReader('asn-csv', (line) => {
      entry = line;
    });
    for (const line of lines) {
      entry = undefined;
      reader.add(line);
      if (entry !== undefined) yield entry;
    }
  }
}
