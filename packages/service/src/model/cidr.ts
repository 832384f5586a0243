import {
  type IpAddress,
  type Ipv6Words,
  ipAddressOfWords,
  ipv4Address,
  parseIpAddress,
} from './ip-address.ts';

/** A range of addresses that share a prefix. In `base`, the bits after the prefix are 0. */
export interface Cidr {
  readonly base: IpAddress;
  readonly prefixLength: number;
}

/**
 * Reads `192.0.2.0/24`, `2001:db8::/32` or a bare address, which is a range of one. Bits beyond the prefix are
 * dropped, because people write `10.0.0.1/8`. A range of IPv4-mapped addresses becomes an IPv4 range.
 */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) {
    const ip = parseIpAddress(text);
    return ip === undefined ? undefined : { base: ip, prefixLength: ip.version === 4 ? 32 : 128 };
  }
  const ip = parseIpAddress(text.slice(0, slash));
  const written = text.slice(slash + 1);
  if (ip === undefined || !/^(?:0|[1-9][0-9]{0,2})$/.test(written)) return undefined;
  const mapped = ip.version === 4 && text.indexOf(':') >= 0;
  const prefixLength = Number(written) - (mapped ? 96 : 0);
  if (prefixLength < 0 || prefixLength > (ip.version === 4 ? 32 : 128)) return undefined;
  return { base: firstAddress(ip, prefixLength), prefixLength };
}

export function cidrText(cidr: Cidr): string {
  return `${cidr.base.text}/${cidr.prefixLength}`;
}

export function cidrContains(cidr: Cidr, ip: IpAddress): boolean {
  const { base, prefixLength } = cidr;
  if (base.version === 4) {
    return ip.version === 4 && (ip.value & wordMask(prefixLength)) >>> 0 === base.value;
  }
  if (ip.version === 4) return false;
  return (
    (ip.words[0] & wordMask(prefixLength)) >>> 0 === base.words[0] &&
    (ip.words[1] & wordMask(prefixLength - 32)) >>> 0 === base.words[1] &&
    (ip.words[2] & wordMask(prefixLength - 64)) >>> 0 === base.words[2] &&
    (ip.words[3] & wordMask(prefixLength - 96)) >>> 0 === base.words[3]
  );
}

/** A set of ranges, built for fast look-ups at request time. */
export interface CidrSet {
  /** Every range that is not inside another one, IPv4 first, in ascending order. */
  readonly all: readonly Cidr[];
  /** The range that contains the address. If ranges nest, the widest one. */
  readonly find: (ip: IpAddress) => Cidr | undefined;
  readonly has: (ip: IpAddress) => boolean;
}

/**
 * Two CIDR ranges either nest or do not overlap. Without the nested ones the ranges are sorted and disjoint, so the
 * only candidate for an address is the last range that starts at or before it.
 */
export function createCidrSet(cidrs: Iterable<Cidr>): CidrSet {
  const all = [...cidrs];
  const ipv4 = widestInOrder(all.filter((cidr) => cidr.base.version === 4));
  const ipv6 = widestInOrder(all.filter((cidr) => cidr.base.version === 6));
  const ipv4Starts = Uint32Array.from(ipv4, ({ base }) => (base.version === 4 ? base.value : 0));
  const find = (ip: IpAddress): Cidr | undefined => {
    const candidate =
      ip.version === 4 ? ipv4[countUpTo(ipv4Starts, ip.value) - 1] : ipv6[countBasesUpTo(ipv6, ip) - 1];
    return candidate !== undefined && cidrContains(candidate, ip) ? candidate : undefined;
  };
  return { all: [...ipv4, ...ipv6], find, has: (ip) => find(ip) !== undefined };
}

/** How many of the sorted numbers are less than or equal to `value`. */
function countUpTo(ascending: Uint32Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countBasesUpTo(row: readonly Cidr[], ip: IpAddress): number {
  let low = 0;
  let high = row.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const cidr = row[middle];
    if (cidr !== undefined && compareIp(cidr.base, ip) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Orders addresses of one version; IPv4 comes before IPv6. */
function compareIp(a: IpAddress, b: IpAddress): number {
  if (a.version === 4) return b.version === 4 ? a.value - b.value : -1;
  if (b.version === 4) return 1;
  return (
    a.words[0] - b.words[0] || a.words[1] - b.words[1] || a.words[2] - b.words[2] || a.words[3] - b.words[3]
  );
}

/** The ranges in ascending order, without those that are inside another one. */
function widestInOrder(cidrs: Cidr[]): Cidr[] {
  cidrs.sort((a, b) => compareIp(a.base, b.base) || a.prefixLength - b.prefixLength);
  const kept: Cidr[] = [];
  for (const cidr of cidrs) {
    const last = kept.at(-1);
    if (last === undefined || !cidrContains(last, cidr.base)) kept.push(cidr);
  }
  return kept;
}

/** A 32-bit mask with `bits` leading ones. Below 0 it is empty, above 32 it is full. */
function wordMask(bits: number): number {
  if (bits <= 0) return 0;
  return bits >= 32 ? -1 : -1 << (32 - bits);
}

/** The first address of the range of that length around the address. */
export function firstAddress(ip: IpAddress, prefixLength: number): IpAddress {
  if (ip.version === 4) return ipv4Address((ip.value & wordMask(prefixLength)) >>> 0);
  const masked = ip.words.map((word, i) => (word & wordMask(prefixLength - 32 * i)) >>> 0);
  const words: Ipv6Words = [masked[0] ?? 0, masked[1] ?? 0, masked[2] ?? 0, masked[3] ?? 0];
  return ipAddressOfWords(words);
}
