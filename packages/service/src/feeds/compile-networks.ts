import { crc32 } from 'node:zlib';
import { readJson, readWords } from '../lists/read-list.ts';
import {
  FORMAT_VERSION,
  HEADER_FIELDS,
  HEADER_WORDS,
  type Header,
  JUMP_ENTRIES,
  MAGIC,
  NETWORK_KINDS,
  type NetworkKind,
  packValue,
  sectionsOf,
  totalWords,
} from '../lookup/ip-ranges-format.ts';
import { type Cidr, parseCidr } from '../model/cidr.ts';
import { collectRanges } from './address-ranges.ts';
import { type GrowingColumn, growingUint32, growingUint64 } from './growing-column.ts';
import { isLeasedSpace, judgeNetwork } from './judge-network.ts';
import type { RangeColumns, RangeTable } from './read-range-csv.ts';

/** Two /16s: the largest hole between ranges of one operator. */
const MAX_HOLE = 131_072;

/**
 * Route tables leave out space that an operator has but did not announce that day: three in ten holes are between
 * ranges of the same network. If the same operator is on both sides of a small hole, the hole belongs to it too.
 */
function fillHoles(
  ranges: RangeColumns<number>,
  sameOperator: (label: number, next: number) => boolean,
): RangeColumns<number> {
  const last = Uint32Array.from(ranges.last, (end, i) => {
    const nextStart = ranges.first[i + 1];
    const label = ranges.label[i];
    const nextLabel = ranges.label[i + 1];
    if (nextStart === undefined || label === undefined || nextLabel === undefined) return end;
    const hole = nextStart - end - 1;
    return hole > 0 && hole <= MAX_HOLE && sameOperator(label, nextLabel) ? nextStart - 1 : end;
  });
  return { ...ranges, last };
}

/** Ranges that a source lists explicitly, whatever their network. */
export type Overlays = Partial<Readonly<Record<Exclude<NetworkKind, 'ordinary'>, Iterable<Cidr>>>>;

export interface NetworkSources {
  /** The data version that answers show. */
  readonly version: string;
  /** Labels are a number, a comma and a name, quoted as CSV if needed. */
  readonly networks: RangeTable;
  /** Labels are two letters. */
  readonly countries: RangeTable;
  readonly overlays?: Overlays;
}

const HOSTING = NETWORK_KINDS.indexOf('hosting');

/** Compiles ranges, names and classes into the form that `loadIpRanges` reads. */
export function compileNetworks(sources: NetworkSources): Uint8Array {
  const networks = readNetworks(sources.networks.labels);
  const countries = sources.countries.labels.map(countryLetters);
  const kinds = networks.map(({ asn, name }) => NETWORK_KINDS.indexOf(judgeNetwork(asn, name)));
  const isLeased = (network: number, country: number): boolean =>
    isLeasedSpace(networks[network]?.asn, sources.countries.labels[country]);
  const overlays = overlayColumns(sources.overlays ?? {});
  /** Combines the indexes of network and country and the classes of network and overlays into one value. */
  const combine = (indexes: readonly number[]): number => {
    const network = indexes[0] ?? -1;
    const country = indexes[1] ?? -1;
    let kind = network < 0 ? 0 : (kinds[network] ?? 0);
    if (kind === 0 && isLeased(network, country)) kind = HOSTING;
    for (let i = 2; i < indexes.length; i++) {
      const named = indexes[i] ?? -1;
      if (named > 0 && (kind === 0 || named < kind)) kind = named;
    }
    return packValue(network + 1, country + 1, kind);
  };
  const announced = fillHoles(
    sources.networks.ipv4,
    (label, next) => label === next || networks[label]?.name === networks[next]?.name,
  );
  const ipv4 = flatten([announced, sources.countries.ipv4, ...overlays.ipv4], IPV4_KEYS, combine);
  const ipv6 = flatten([sources.networks.ipv6, sources.countries.ipv6, ...overlays.ipv6], IPV6_KEYS, combine);
  return writeFile(sources.version, ipv4, ipv6, networks, countries);
}

interface Network {
  readonly asn: number;
  readonly name: string;
}

function readNetworks(labels: readonly string[]): Network[] {
  return labels.map((label) => {
    const comma = label.indexOf(',');
    const asn = Number(label.slice(0, comma));
    if (comma < 1 || !Number.isInteger(asn) || asn < 0 || asn > 0xffffffff) {
      throw new Error(`range file: “${label.slice(0, 40)}” is not a network number with a name`);
    }
    const written = label.slice(comma + 1);
    const quoted = written.length >= 2 && written.startsWith('"') && written.endsWith('"');
    return { asn, name: quoted ? written.slice(1, -1).replaceAll('""', '"') : written };
  });
}

function countryLetters(label: string): number {
  if (!/^[A-Z]{2}$/.test(label)) throw new Error(`range file: “${label.slice(0, 40)}” is not a country`);
  return (label.charCodeAt(0) << 8) | label.charCodeAt(1);
}

/** One layer for each class that a source lists ranges for. The label is the class’s index. */
function overlayColumns(overlays: Overlays): { ipv4: RangeColumns<number>[]; ipv6: RangeColumns<bigint>[] } {
  const ipv4: RangeColumns<number>[] = [];
  const ipv6: RangeColumns<bigint>[] = [];
  for (const [place, kind] of NETWORK_KINDS.entries()) {
    if (kind === 'ordinary') continue;
    const named = overlays[kind] ?? (kind === 'tor' ? bundledTorExits() : []);
    const ranges = collectRanges(bothOf(named, knownRanges(kind)));
    ipv4.push({ ...ranges.ipv4, label: new Uint8Array(ranges.ipv4.first.length).fill(place) });
    ipv6.push({ ...ranges.ipv6, label: new Uint8Array(ranges.ipv6.first.length).fill(place) });
  }
  return { ipv4, ipv6 };
}

function* bothOf(some: Iterable<Cidr>, others: Iterable<Cidr>): Generator<Cidr> {
  yield* some;
  yield* others;
}

interface KeySpace<Key extends number | bigint> {
  readonly first: Key;
  readonly last: Key;
  readonly after: (key: Key) => Key;
  readonly column: () => Pick<GrowingColumn<Key, ArrayLike<Key>>, 'push' | 'finish'>;
}

const IPV4_KEYS: KeySpace<number> = {
  first: 0,
  last: 0xffffffff,
  after: (key) => key + 1,
  column: growingUint32,
};
const IPV6_KEYS: KeySpace<bigint> = {
  first: 0n,
  last: (1n << 64n) - 1n,
  after: (key) => key + 1n,
  column: growingUint64,
};

interface FlatRow<Key extends number | bigint> {
  readonly starts: ArrayLike<Key>;
  readonly values: Uint32Array;
}

/** Merges the layers into one sorted array of starts, with a value wherever any layer changes. */
function flatten<Key extends number | bigint>(
  layers: readonly RangeColumns<Key>[],
  space: KeySpace<Key>,
  combine: (indexes: readonly number[]) => number,
): FlatRow<Key> {
  const starts = space.column();
  const values = growingUint32();
  const cursors = layers.map(() => 0);
  const indexes = layers.map(() => -1);
  let previous = -1;
  for (let position: Key | undefined = space.first; position !== undefined && position <= space.last; ) {
    let next: Key | undefined;
    for (const [i, layer] of layers.entries()) {
      let cursor = cursors[i] ?? 0;
      let last = layer.last[cursor];
      while (last !== undefined && last < position) last = layer.last[++cursor];
      cursors[i] = cursor;
      const first = layer.first[cursor];
      const inside = first !== undefined && first <= position;
      indexes[i] = inside ? (layer.label[cursor] ?? -1) : -1;
      const change = inside && last !== undefined ? space.after(last) : first;
      if (change !== undefined && (next === undefined || change < next)) next = change;
    }
    const value = combine(indexes);
    if (value !== previous) {
      starts.push(position);
      values.push(value);
      previous = value;
    }
    position = next;
  }
  return { starts: starts.finish(), values: values.finish() };
}

function writeFile(
  version: string,
  ipv4: FlatRow<number>,
  ipv6: FlatRow<bigint>,
  networks: readonly Network[],
  countries: readonly number[],
): Uint8Array {
  const encoder = new TextEncoder();
  const versionBytes = encoder.encode(version);
  const header = {
    magic: MAGIC,
    format: FORMAT_VERSION,
    checksum: 0,
    ipv4Ranges: ipv4.starts.length,
    ipv6Ranges: ipv6.starts.length,
    networks: networks.length + 1,
    countries: countries.length + 1,
    nameBytes: networks.reduce((sum, { name }) => sum + Buffer.byteLength(name), 0),
    versionBytes: versionBytes.length,
  } satisfies Header;
  const words = new Uint32Array(totalWords(header));
  const sections = sectionsOf(words, header);
  sections.ipv4Starts.set(ipv4.starts);
  sections.ipv4Values.set(ipv4.values);
  fillJump(sections.ipv4Jump, sections.ipv4Starts);
  for (let i = 0; i < ipv6.starts.length; i++) {
    const start = ipv6.starts[i] ?? 0n;
    sections.ipv6High[i] = Number(start >> 32n);
    sections.ipv6Low[i] = Number(start & 0xffffffffn);
  }
  sections.ipv6Values.set(ipv6.values);
  fillJump(sections.ipv6Jump, sections.ipv6High);
  sections.asns.set(
    networks.map(({ asn }) => asn),
    1,
  );
  let offset = 0;
  for (const [i, { name }] of networks.entries()) {
    offset += encoder.encodeInto(name, sections.names.subarray(offset)).written;
    sections.nameOffsets[i + 2] = offset;
  }
  sections.countries.set(countries, 1);
  sections.version.set(versionBytes);
  const checksum = crc32(new Uint8Array(words.buffer, HEADER_WORDS * 4));
  words.set(HEADER_FIELDS.map((field) => (field === 'checksum' ? checksum : header[field])));
  return new Uint8Array(words.buffer);
}

/** For each value of the first 16 bits, how many starts come before it. */
function fillJump(jump: Uint32Array, starts: Uint32Array): void {
  let index = 0;
  for (let bucket = 0; bucket < JUMP_ENTRIES; bucket++) {
    while (index < starts.length && (starts[index] ?? 0) >>> 16 < bucket) index++;
    jump[bucket] = index;
  }
}

interface KnownRanges {
  readonly kind: NetworkKind;
  readonly reason: string;
  readonly ranges: readonly string[];
}

/** Ranges with a fixed class, whatever network announces them. */
export function knownRanges(kind: NetworkKind): Cidr[] {
  return readJson<readonly KnownRanges[]>('networks/known-ranges.json')
    .filter((entry) => entry.kind === kind)
    .flatMap(({ ranges }) => ranges.map(readRange));
}

/** The Tor exits of one day. Exits change, so a fresh list replaces this one. */
function bundledTorExits(): Cidr[] {
  return readWords('networks/tor-exits.txt').map(readRange);
}

function readRange(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr === undefined) throw new Error(`${text} in lists/networks is not a range`);
  return cidr;
}
