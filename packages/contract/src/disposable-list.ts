import { DOMAIN_SEED, hashName } from './domain-hash.ts';

/**
 * The offline list of throwaway domains, as `GET /v1/lists/disposable` sends it. The body is one line with a compact
 * JWS (`DisposableListClaims`, signed with the verdict keys), a line feed, and then the list itself:
 *
 * | bytes | what |
 * |---|---|
 * | 0..3 | magic `PDL1` |
 * | 4 | `bits`: how many low bits of a difference are written as they are |
 * | 5..7 | zero |
 * | then, three times | entries as Uint32 (big-endian), length in bytes as Uint32, Golomb-Rice coded differences |
 *
 * The three sets are `listed`, `freeHosts` and `exceptions`. Each holds sorted values below `entries × 2^bits`: the
 * `domainHash` of a name modulo that range. A name that is on no list matches by accident about once in 2^bits
 * look-ups, one in a million with the bundled data.
 */
export const DISPOSABLE_LIST_PATH = '/v1/lists/disposable';
export const DISPOSABLE_LIST_TYPE = 'postern-disposable-list+jwt';
export const DISPOSABLE_LIST_MAX_BYTES = 500_000;

export interface DisposableListClaims {
  iss: 'postern';
  /** The day of the newest data, Unix seconds. */
  iat: number;
  /** The data version that the list was made from. */
  version: string;
  /** SHA-256 of the bytes after the first line feed, base64url. */
  sha256: string;
}

/** Hashes from `domainHash`. */
export interface DisposableSets {
  /** Throwaway domains; every name under one counts too. */
  readonly listed: readonly number[];
  /** Hosts that give names away: what is under one counts, the host itself does not. */
  readonly freeHosts: readonly number[];
  /** Real providers and relays that stand under a listed domain. */
  readonly exceptions: readonly number[];
}

const MAGIC = 0x50444c31;
const HEAD_BYTES = 8;
/** With more bits a value would not fit a double exactly. */
const MAX_BITS = 24;
/** Golomb-Rice takes about one and a half bits more for an entry than the low bits; the rest is room for the line in front. */
const OVERHEAD_BITS = 1.6;
const ROOM_BYTES = DISPOSABLE_LIST_MAX_BYTES - 4_096;

export function encodeDisposableList(sets: DisposableSets): Uint8Array {
  const entries = sets.listed.length + sets.freeHosts.length + sets.exceptions.length;
  const bits = Math.max(
    1,
    Math.min(MAX_BITS, Math.floor((ROOM_BYTES * 8) / Math.max(1, entries) - OVERHEAD_BITS)),
  );
  const parts = [sets.listed, sets.freeHosts, sets.exceptions].map((hashes) => encodeSet(hashes, bits));
  const total = parts.reduce((sum, part) => sum + 8 + part.bytes.length, HEAD_BYTES);
  const list = new Uint8Array(total);
  const view = new DataView(list.buffer);
  view.setUint32(0, MAGIC);
  list[4] = bits;
  let at = HEAD_BYTES;
  for (const { entries, bytes } of parts) {
    view.setUint32(at, entries);
    view.setUint32(at + 4, bytes.length);
    list.set(bytes, at + 8);
    at += 8 + bytes.length;
  }
  return list;
}

export interface DisposableList {
  /** Whether a domain (A-labels, lower case) or one of its parents is a throwaway one. */
  includes(domain: string): boolean;
}

/** Throws when the bytes are no list. */
export function decodeDisposableList(list: Uint8Array): DisposableList {
  const view = new DataView(list.buffer, list.byteOffset, list.byteLength);
  const bits = list[4] ?? 0;
  if (list.length < HEAD_BYTES || view.getUint32(0) !== MAGIC || bits < 1 || bits > MAX_BITS) {
    throw new Error('These bytes are not a Postern list of disposable domains');
  }
  const sets: HashSet[] = [];
  for (let at = HEAD_BYTES; sets.length < 3; ) {
    if (at + 8 > list.length) throw new Error('The list of disposable domains is cut off');
    const entries = view.getUint32(at);
    const end = at + 8 + view.getUint32(at + 4);
    if (end > list.length || entries > (end - at) * 8) {
      throw new Error('The list of disposable domains is cut off');
    }
    sets.push({
      range: rangeOf(entries, bits),
      values: decodeSet(list.subarray(at + 8, end), entries, bits),
    });
    at = end;
  }
  const [listed, freeHosts, exceptions] = sets as [HashSet, HashSet, HashSet];
  return { includes: (domain) => isListed(domain, { listed, freeHosts, exceptions }) };
}

interface HashSet {
  readonly range: number;
  readonly values: Float64Array;
}

/** The most specific entry wins, as in the service: parents first, then each longer name. */
function isListed(
  domain: string,
  sets: { readonly listed: HashSet; readonly freeHosts: HashSet; readonly exceptions: HashSet },
): boolean {
  let listed = false;
  let underFreeHost = false;
  for (let dot = domain.lastIndexOf('.'); ; dot = domain.lastIndexOf('.', dot - 1)) {
    const hash = domainHash(domain.slice(dot + 1));
    if (underFreeHost) listed = true;
    if (has(sets.exceptions, hash)) listed = false;
    else if (has(sets.listed, hash)) listed = true;
    underFreeHost = has(sets.freeHosts, hash);
    if (dot <= 0) return listed;
  }
}

/** 53 bits of the hash that the service’s own domain table uses. */
export function domainHash(name: string): number {
  const { high, low } = hashName(name, DOMAIN_SEED);
  return joinHash(high, low);
}

/** The first 32 bits and 21 of the second. */
export function joinHash(high: number, low: number): number {
  return high * 0x20_0000 + (low >>> 11);
}

const rangeOf = (entries: number, bits: number): number => Math.max(1, entries) * 2 ** bits;

function encodeSet(
  hashes: readonly number[],
  bits: number,
): { readonly entries: number; readonly bytes: Uint8Array } {
  const range = rangeOf(hashes.length, bits);
  const values = Float64Array.from(hashes, (hash) => hash % range).sort();
  const low = 2 ** bits;
  const bytes: number[] = [];
  let byte = 0;
  let filled = 0;
  const write = (bit: number) => {
    byte = (byte << 1) | bit;
    filled += 1;
    if (filled < 8) return;
    bytes.push(byte);
    byte = 0;
    filled = 0;
  };
  let previous = 0;
  for (const value of values) {
    const difference = value - previous;
    previous = value;
    for (let ones = Math.floor(difference / low); ones > 0; ones -= 1) write(1);
    write(0);
    for (let bit = bits - 1; bit >= 0; bit -= 1) write(((difference % low) >>> bit) & 1);
  }
  while (filled > 0) write(0);
  return { entries: values.length, bytes: Uint8Array.from(bytes) };
}

function decodeSet(bytes: Uint8Array, entries: number, bits: number): Float64Array {
  const values = new Float64Array(entries);
  const low = 2 ** bits;
  let at = 0;
  const read = (): number => {
    const bit = ((bytes[at >>> 3] ?? 0) >>> (7 - (at & 7))) & 1;
    at += 1;
    return bit;
  };
  let value = 0;
  for (let index = 0; index < entries; index += 1) {
    if (at >= bytes.length * 8) throw new Error('The list of disposable domains is cut off');
    while (read() === 1) value += low;
    let rest = 0;
    for (let bit = 0; bit < bits; bit += 1) rest = (rest << 1) | read();
    value += rest;
    values[index] = value;
  }
  return values;
}

function has({ values, range }: HashSet, hash: number): boolean {
  const wanted = hash % range;
  let from = 0;
  let to = values.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((values[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return values[from] === wanted;
}
