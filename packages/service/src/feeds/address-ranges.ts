import type { Cidr } from '../model/cidr.ts';
import { growingUint32, growingUint64 } from './growing-column.ts';

/** Both ends inclusive, in ascending order, not adjacent. */
export interface RangeRow<Column> {
  readonly first: Column;
  readonly last: Column;
}

/** IPv4 ranges by address, IPv6 ranges by /64. */
export interface AddressRanges {
  readonly ipv4: RangeRow<Uint32Array>;
  readonly ipv6: RangeRow<BigUint64Array>;
}

/** Collects CIDRs into sorted ranges, without nested ones. Keeps only numbers, to save memory. */
export function collectRanges(cidrs: Iterable<Cidr>): AddressRanges {
  const ipv4 = { first: growingUint32(), last: growingUint32() };
  const ipv6 = { first: growingUint64(), last: growingUint64() };
  for (const { base, prefixLength } of cidrs) {
    if (base.version === 4) {
      ipv4.first.push(base.value);
      ipv4.last.push(base.value + 2 ** (32 - prefixLength) - 1);
    } else {
      const start = (BigInt(base.words[0]) << 32n) | BigInt(base.words[1]);
      ipv6.first.push(start);
      ipv6.last.push(prefixLength >= 64 ? start : start + (1n << BigInt(64 - prefixLength)) - 1n);
    }
  }
  return {
    ipv4: inOrder({ first: ipv4.first.finish(), last: ipv4.last.finish() }, growingUint32),
    ipv6: inOrder({ first: ipv6.first.finish(), last: ipv6.last.finish() }, growingUint64),
  };
}

function inOrder<Key extends number | bigint, Column extends ArrayLike<Key>>(
  { first, last }: RangeRow<Column>,
  column: () => { push(value: Key): void; last(): Key | undefined; finish(): Column },
): RangeRow<Column> {
  const order = Uint32Array.from({ length: first.length }, (_, at) => at);
  const key = (row: ArrayLike<Key>, at: number): Key => row[at] as Key;
  order.sort((a, b) => {
    const [startA, startB] = [key(first, a), key(first, b)];
    if (startA !== startB) return startA < startB ? -1 : 1;
    // The wider one comes first, so that nested ones are recognised.
    const [endA, endB] = [key(last, a), key(last, b)];
    return endA === endB ? 0 : endA > endB ? -1 : 1;
  });
  const sorted = { first: column(), last: column() };
  for (const at of order) {
    const before = sorted.last.last();
    if (before !== undefined && key(last, at) <= before) continue;
    sorted.first.push(key(first, at));
    sorted.last.push(key(last, at));
  }
  return { first: sorted.first.finish(), last: sorted.last.finish() };
}

export interface AddressCount {
  readonly ipv4: number;
  /** Counted in /64 networks. */
  readonly ipv6: number;
}

export function countAddresses({ ipv4, ipv6 }: AddressRanges): AddressCount {
  let ipv4Count = 0;
  for (let i = 0; i < ipv4.first.length; i++) ipv4Count += (ipv4.last[i] ?? 0) - (ipv4.first[i] ?? 0) + 1;
  let ipv6Count = 0;
  for (let i = 0; i < ipv6.first.length; i++)
    ipv6Count += Number((ipv6.last[i] ?? 0n) - (ipv6.first[i] ?? 0n)) + 1;
  return { ipv4: ipv4Count, ipv6: ipv6Count };
}

/** How many addresses (IPv6: networks of /64) two sets of ranges share. */
export function countShared<Key extends number | bigint>(
  a: RangeRow<ArrayLike<Key>>,
  b: RangeRow<ArrayLike<Key>>,
): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.first.length && j < b.first.length; ) {
    const [startA, startB] = [a.first[i] as Key, b.first[j] as Key];
    const [endA, endB] = [a.last[i] as Key, b.last[j] as Key];
    const start = startA > startB ? startA : startB;
    const end = endA < endB ? endA : endB;
    // Subtracted before the conversion, because large IPv6 values do not fit a number exactly.
    if (end >= start) shared += Number((end as bigint) - (start as bigint)) + 1;
    if (endA <= endB) i++;
    else j++;
  }
  return shared;
}
