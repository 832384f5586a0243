/**
 * The compiled form of the network data: one buffer of 32-bit numbers, read in place.
 *
 * Each address family is a sorted array of range starts, each with a packed value that applies until the next start. A
 * jump table over the first 16 bits of the address narrows the search to a few entries. IPv6 is kept at /64, the
 * smallest network that a site is given (RFC 6177), with two numbers for each start.
 */

/** Network classes in order of priority. The first that applies wins. */
export const NETWORK_KINDS = ['ordinary', 'corporate', 'relay', 'tor', 'vpn', 'proxy', 'hosting'] as const;
export type NetworkKind = (typeof NETWORK_KINDS)[number];

/** In the machine’s byte order, so that a file from a machine with the other order is refused instead of misread. */
export const MAGIC = 0x50_4e_45_54;
export const FORMAT_VERSION = 1;
export const JUMP_ENTRIES = 65_537;

/** The header’s words in order; the rest of it is zero. */
export const HEADER_FIELDS = [
  'magic',
  'format',
  /** CRC-32 of everything after the header. */
  'checksum',
  'ipv4Ranges',
  'ipv6Ranges',
  'networks',
  'countries',
  /** Bytes of the names in UTF-8, before padding. */
  'nameBytes',
  /** Bytes of the version in UTF-8, before padding. */
  'versionBytes',
] as const;
export type Header = Readonly<Record<(typeof HEADER_FIELDS)[number], number>>;
export const HEADER_WORDS = 16;

export interface Sections {
  readonly ipv4Starts: Uint32Array;
  readonly ipv4Values: Uint32Array;
  readonly ipv4Jump: Uint32Array;
  readonly ipv6High: Uint32Array;
  readonly ipv6Low: Uint32Array;
  readonly ipv6Values: Uint32Array;
  readonly ipv6Jump: Uint32Array;
  /** The AS number of each network. Entry 0 means none. */
  readonly asns: Uint32Array;
  /** Where each network’s name starts; one more entry than networks. */
  readonly nameOffsets: Uint32Array;
  /** Two letters each. Entry 0 means unknown. */
  readonly countries: Uint32Array;
  readonly names: Uint8Array;
  readonly version: Uint8Array;
}

const MAX_NETWORKS = 1 << 20;
const MAX_COUNTRIES = 1 << 8;

/** 20 bits of network, 8 of country, 4 of kind. */
export function packValue(network: number, country: number, kind: number): number {
  if (network >= MAX_NETWORKS || country >= MAX_COUNTRIES) throw new Error('too many networks or countries');
  return ((network << 12) | (country << 4) | kind) >>> 0;
}

export function unpackValue(value: number): { network: number; country: number; kind: number } {
  return { network: value >>> 12, country: (value >>> 4) & 255, kind: value & 15 };
}

/** How many 32-bit words each section takes. */
function sectionWords(header: Header): Readonly<Record<keyof Sections, number>> {
  return {
    ipv4Starts: header.ipv4Ranges,
    ipv4Values: header.ipv4Ranges,
    ipv4Jump: JUMP_ENTRIES,
    ipv6High: header.ipv6Ranges,
    ipv6Low: header.ipv6Ranges,
    ipv6Values: header.ipv6Ranges,
    ipv6Jump: JUMP_ENTRIES,
    asns: header.networks,
    nameOffsets: header.networks + 1,
    countries: header.countries,
    names: Math.ceil(header.nameBytes / 4),
    version: Math.ceil(header.versionBytes / 4),
  };
}

export function totalWords(header: Header): number {
  return HEADER_WORDS + Object.values(sectionWords(header)).reduce((sum, words) => sum + words, 0);
}

/** Views of the sections in the buffer. */
export function sectionsOf(words: Uint32Array, header: Header): Sections {
  const sizes = sectionWords(header);
  let position = HEADER_WORDS;
  const take = (name: keyof Sections): Uint32Array => {
    const start = position;
    position += sizes[name];
    return words.subarray(start, position);
  };
  const bytes = (section: Uint32Array, length: number): Uint8Array =>
    new Uint8Array(section.buffer, section.byteOffset, length);
  return {
    ipv4Starts: take('ipv4Starts'),
    ipv4Values: take('ipv4Values'),
    ipv4Jump: take('ipv4Jump'),
    ipv6High: take('ipv6High'),
    ipv6Low: take('ipv6Low'),
    ipv6Values: take('ipv6Values'),
    ipv6Jump: take('ipv6Jump'),
    asns: take('asns'),
    nameOffsets: take('nameOffsets'),
    countries: take('countries'),
    names: bytes(take('names'), header.nameBytes),
    version: bytes(take('version'), header.versionBytes),
  };
}
