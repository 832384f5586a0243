import { parseCidr } from '../model/cidr.ts';
import type { FeedFormat } from './feed-source.ts';

/** If a larger share of lines is unreadable, the file is not in this format. */
const MOST_UNREADABLE = 0.02;
/** No honest list contains a network as large as this. */
const SHORTEST_PREFIX = { 4: 8, 6: 16 } as const;
const NETWORK_LINE = /^\d{1,39},\d{1,39},\d{1,10},/;
const DOMAIN = /^(?=.{4,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/;

export interface LineReader {
  readonly add: (line: string) => void;
  /** Throws if the added lines are not in the expected format. */
  readonly finish: () => void;
}

/** Calls `onEntry` with each entry in canonical form. */
export function createLineReader(format: FeedFormat, onEntry: (entry: string) => void): LineReader {
  const readLine = READERS[format];
  let unreadable = 0;
  let lines = 0;
  return {
    add: (raw) => {
      const line = raw.trim();
      if (line === '' || line.startsWith('#') || line.startsWith('//')) return;
      lines += 1;
      const entries = [readLine(line) ?? []].flat();
      if (entries.length === 0) unreadable += 1;
      for (const entry of entries) onEntry(entry);
    },
    finish: () => {
      if (lines === 0) throw new Error('is empty');
      if (unreadable > lines * MOST_UNREADABLE)
        throw new Error(`has ${unreadable} of ${lines} lines that do not read as ${format}`);
    },
  };
}

const READERS: Readonly<Record<FeedFormat, (line: string) => string | readonly string[] | undefined>> = {
  domains: (line) => {
    const domain = line.toLowerCase().replace(/^\*?\./, '');
    return DOMAIN.test(domain) ? domain : undefined;
  },
  cidrs: readRange,
  'relay-csv': (line) => readRange(line.split(',', 1)[0] ?? ''),
  // A line is a relay: {"or_addresses":["192.0.2.1:9001","[2001:db8::1]:9001"],"exit_addresses":["192.0.2.2"]}
  onionoo: (line) =>
    [...line.matchAll(/"([0-9a-f:.[\]]{3,47})"/g)].flatMap(
      ([, text = '']) => readRange(text.replace(/^\[(.+)\]:\d+$|^([\d.]+):\d+$/, '$1$2')) ?? [],
    ),
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
