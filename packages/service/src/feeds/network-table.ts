import { createRangeTableReader, type RangeTable } from './read-range-csv.ts';

/** IPv4 addresses have at most ten digits as a number. Every IPv6 address in use is much longer. */
const LONGEST_IPV4 = 10;

export interface NetworkTableReader {
  readonly add: (line: string) => void;
  readonly finish: () => RangeTable;
}

/** Reads the table of networks from lines of `first,last,number,name`, IPv4 and IPv6 each in ascending order. */
export function createNetworkTableReader(): NetworkTableReader {
  const reader = createRangeTableReader();
  return {
    add: (line) => (line.indexOf(',') <= LONGEST_IPV4 ? reader.addIpv4 : reader.addIpv6)(line),
    finish: reader.finish,
  };
}

/** 8.8.8.8 and 1.1.1.1 have belonged to Google and Cloudflare for so long that a table without them is wrong. */
const LANDMARKS = [
  { address: '8.8.8.8', value: 0x08_08_08_08, network: '15169' },
  { address: '1.1.1.1', value: 0x01_01_01_01, network: '13335' },
];

/** AS numbers have 32 bits (RFC 6793). */
const MAX_NETWORK_NUMBER = 0xffffffff;

/** Throws an Error with the reason if this is not a table of the internet’s networks. */
export function guardNetworkTable({ ipv4, labels }: RangeTable): void {
  for (const label of labels) {
    if (Number(numberIn(label)) > MAX_NETWORK_NUMBER)
      throw new Error(`has the network number ${numberIn(label)}, which cannot exist`);
  }
  for (const { address, value, network } of LANDMARKS) {
    const at = lastAtMost(ipv4.first, value);
    const found = value <= (ipv4.last[at] ?? -1) ? labels[ipv4.label[at] ?? -1] : undefined;
    if (found === undefined || !found.startsWith(`${network},`))
      throw new Error(`does not have ${address} in network ${network}`);
  }
}

function lastAtMost(ascending: ArrayLike<number>, value: number): number {
  let at = ascending.length - 1;
  while (at >= 0 && (ascending[at] ?? 0) > value) at -= 1;
  return at;
}

/**
 * A fresh table with the names that the rules were written for. Other sources name the same network differently, and so
 * does the same source a year later.
 */
export function withKnownNames(fresh: RangeTable, named: RangeTable): RangeTable {
  const nameOf = new Map(named.labels.map((label) => [numberIn(label), label]));
  return { ...fresh, labels: fresh.labels.map((label) => nameOf.get(numberIn(label)) ?? label) };
}

function numberIn(label: string): string {
  return label.slice(0, label.indexOf(','));
}
