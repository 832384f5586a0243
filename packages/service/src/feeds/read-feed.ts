import { parseCidr } from '../model/cidr.ts';
import type { FeedFormat } from './feed-source.ts';

/** A share of lines beyond this that do not read means that the file is something else. */
const MOST_UNREADABLE = 0.02;
/** No honest list names a network as large as this. */
const SHORTEST_PREFIX = { 4: 8, 6: 16 } as const;
const NETWORK_LINE = /^\d{1,39},\d{1,39},\d{1,10},/;
const DOMAIN = /^(?=.{4,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/;

export interface LineReader {
  readonly add: (line: string) => void;
  /** Throws when what was added does not read as the list it should be. */
  readonly finish: () => void;
}

/** Hands each entry, in its one spelling, to `onEntry`. */
export function createLineReader(format: FeedFormat, onEntry: (entry: string) => void): LineReader {
  const readLine = READERS[format];
  let unreadable = 0;
  let lines = 0;
  return {
    add: (raw) => {
      const line = raw.trim();
      if (line === '' || line.startsWith('#') || line.startsWith('//')) return;
      lines += 1;
      const entry = readLine(line);
      if (entry === undefined) unreadable += 1;
      else onEntry(entry);
    },
    finish: () => {
      if (lines === 0) throw new Error('is empty');
      if (unreadable > lines * MOST_UNREADABLE)
        throw new Error(`has ${unreadable} of ${lines} lines that do not read as ${format}`);
    },
  };
}

const READERS: Readonly<Record<FeedFormat, (line: string) => string | undefined>> = {
  domains: (line) => {
    const domain = line.toLowerCase().replace(/^\*?\./, '');
    return DOMAIN.test(domain) ? domain : undefined;
  },
  cidrs: readRange,
  'relay-csv': (line) => readRange(line.split(',', 1)[0] ?? ''),
  // The archive separates its own columns with tabs.
  'asn-csv': (line) => (NETWORK_LINE.test(line) ? line.replaceAll('\t', ' ') : undefined),
};

function readRange(text: string): string | undefined {
  const cidr = parseCidr(text);
  if (cidr === undefined) return undefined;
  if (cidr.prefixLength < SHORTEST_PREFIX[cidr.base.version])
    throw new Error(`names ${text}, which is far too large`);
  return text;
}
