import { type RangeTable, readRangeCsv } from './read-range-csv.ts';

/** IPv4 addresses are numbers of ten digits at most; every IPv6 address in use is a far longer one. */
const LONGEST_IPV4 = 10;

/** The table of networks in lines of `first,last,number,name`, IPv4’s and IPv6’s each in ascending order. */
export function readNetworkTable(lines: Iterable<string>): RangeTable {
  const ipv4: string[] = [];
  const ipv6: string[] = [];
  for (const line of lines) (line.indexOf(',') <= LONGEST_IPV4 ? ipv4 : ipv6).push(line);
  return readRangeCsv(ipv4.join('\n'), ipv6.join('\n'));
}

/** 8.8.8.8 and 1.1.1.1 have been Google’s and Cloudflare’s for so long that a table without them is no table. */
const LANDMARKS = [
  { address: '8.8.8.8', value: 0x08_08_08_08, network: '15169' },
  { address: '1.1.1.1', value: 0x01_01_01_01, network: '13335' },
];

/** Throws when the lines are no table of the internet’s networks, and says why. */
export function guardNetworkTable(lines: Iterable<string>): void {
  const { ipv4, labels } = readNetworkTable(lines);
  for (const { address, value, network } of LANDMARKS) {
    const at = ipv4.first.findLastIndex((first) => first <= value);
    const found = value <= (ipv4.last[at] ?? -1) ? labels[ipv4.label[at] ?? -1] : undefined;
    if (found === undefined || !found.startsWith(`${network},`))
      throw new Error(`does not have ${address} in network ${network}`);
  }
}

/**
 * A fresh table with the names that the rules were written for: the same network is called otherwise by another source,
 * and by the same one a year later.
 */
export function withKnownNames(fresh: RangeTable, known: RangeTable): RangeTable {
  const nameOf = new Map(known.labels.map((label) => [numberIn(label), label]));
  return { ...fresh, labels: fresh.labels.map((label) => nameOf.get(numberIn(label)) ?? label) };
}

function numberIn(label: string): string {
  return label.slice(0, label.indexOf(','));
}
