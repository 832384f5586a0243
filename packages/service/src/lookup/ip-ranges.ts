import { crc32 } from 'node:zlib';
import type { IpAddress } from '../model/ip-address.ts';
import { embeddedIpv4 } from '../model/reserved-networks.ts';
import {
  FORMAT_VERSION,
  HEADER_FIELDS,
  HEADER_WORDS,
  type Header,
  MAGIC,
  NETWORK_KINDS,
  type NetworkKind,
  type Sections,
  sectionsOf,
  totalWords,
  unpackValue,
} from './ip-ranges-format.ts';

export { NETWORK_KINDS, type NetworkKind } from './ip-ranges-format.ts';

export interface IpRecord {
  /** `undefined` if the address is not announced. */
  readonly asn: number | undefined;
  readonly network: string | undefined;
  /** Two letters. */
  readonly country: string | undefined;
  readonly kind: NetworkKind;
}

/** The network data of every address on the internet. */
export interface IpRanges {
  /** The version of the data, as shown in answers. */
  readonly version: string;
  readonly ipv4Ranges: number;
  readonly ipv6Ranges: number;
  readonly networks: number;
  readonly lookup: (ip: IpAddress) => IpRecord;
}

/** Reads compiled network data in place. Throws an Error that says what is wrong with a damaged file. */
export function loadIpRanges(bytes: Uint8Array): IpRanges {
  const words = wordsOf(bytes);
  const header = readHeader(words);
  const body = new Uint8Array(
    words.buffer,
    words.byteOffset + HEADER_WORDS * 4,
    (words.length - HEADER_WORDS) * 4,
  );
  if (crc32(body) !== header.checksum)
    throw new Error('network data is damaged: its checksum does not match');
  const sections = sectionsOf(words, header);
  const nameOf = nameReader(sections);
  const countries = Array.from(sections.countries, countryText);

  const lookup = (ip: IpAddress): IpRecord => {
    const ipv4 = ip.version === 4 ? ip : embeddedIpv4(ip);
    const packed =
      ipv4 !== undefined
        ? findIpv4(sections, ipv4.value)
        : ip.version === 6
          ? findIpv6(sections, ip.words[0], ip.words[1])
          : 0;
    const { network, country, kind } = unpackValue(packed);
    return {
      asn: network === 0 ? undefined : sections.asns[network],
      network: network === 0 ? undefined : nameOf(network),
      country: countries[country],
      kind: NETWORK_KINDS[kind] ?? 'ordinary',
    };
  };

  return {
    version: new TextDecoder().decode(sections.version),
    ipv4Ranges: header.ipv4Ranges,
    ipv6Ranges: header.ipv6Ranges,
    networks: header.networks - 1,
    lookup,
  };
}

/** The value of the last range that starts at or before the address. The first range starts at zero. */
function findIpv4({ ipv4Starts, ipv4Values, ipv4Jump }: Sections, address: number): number {
  const bucket = address >>> 16;
  let low = ipv4Jump[bucket] ?? 0;
  let high = ipv4Jump[bucket + 1] ?? 0;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ipv4Starts[middle] ?? 0) <= address) low = middle + 1;
    else high = middle;
  }
  return ipv4Values[low - 1] ?? 0;
}

function findIpv6(
  { ipv6High, ipv6Low, ipv6Values, ipv6Jump }: Sections,
  high32: number,
  low32: number,
): number {
  const bucket = high32 >>> 16;
  let low = ipv6Jump[bucket] ?? 0;
  let high = ipv6Jump[bucket + 1] ?? 0;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = ipv6High[middle] ?? 0;
    if (start < high32 || (start === high32 && (ipv6Low[middle] ?? 0) <= low32)) low = middle + 1;
    else high = middle;
  }
  return ipv6Values[low - 1] ?? 0;
}

/** The file as 32-bit words, in place if it is aligned, as files read from disk are. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  if (bytes.byteLength < HEADER_WORDS * 4 || bytes.byteLength % 4 !== 0) {
    throw new Error(`network data is damaged: ${bytes.byteLength} bytes are not a complete file`);
  }
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

function readHeader(words: Uint32Array): Header {
  const header = Object.fromEntries(HEADER_FIELDS.map((field, i) => [field, words[i] ?? 0])) as Header;
  if (header.magic !== MAGIC)
    throw new Error('this is not network data, or it comes from a machine with another byte order');
  if (header.format !== FORMAT_VERSION) {
    throw new Error(`network data has format ${header.format}; this version reads ${FORMAT_VERSION}`);
  }
  if (totalWords(header) !== words.length) {
    throw new Error(
      `network data is damaged: ${totalWords(header) * 4} bytes expected, ${words.length * 4} found`,
    );
  }
  return header;
}

/** Names are decoded on first use and cached, because the same few hundred networks come up again and again. */
function nameReader({ nameOffsets, names }: Sections): (network: number) => string {
  const text = Buffer.from(names.buffer, names.byteOffset, names.byteLength);
  const nameOf = new Map<number, string>();
  return (network) => {
    const before = nameOf.get(network);
    if (before !== undefined) return before;
    const name = text.toString('utf8', nameOffsets[network], nameOffsets[network + 1]);
    nameOf.set(network, name);
    return name;
  };
}

function countryText(letters: number): string | undefined {
  return letters === 0 ? undefined : String.fromCharCode(letters >>> 8, letters & 255);
}
