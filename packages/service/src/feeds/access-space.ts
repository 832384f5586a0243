import { readFile } from 'node:fs/promises';
import { readWords } from '../lists/read-list.ts';
import { HEADER_FIELDS, type Header, sectionsOf, unpackValue } from '../lookup/ip-ranges-format.ts';
import type { AddressRanges, RangeRow } from './address-ranges.ts';
import { growingUint32, growingUint64 } from './growing-column.ts';

/** The addresses of the large home and mobile networks. */
export type AccessSpace = AddressRanges;

/** Reads the addresses of the access networks from a compiled network file. */
export async function readAccessSpace(networksFile: URL | string): Promise<AccessSpace> {
  const bytes = await readFile(networksFile);
  const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const header = Object.fromEntries(HEADER_FIELDS.map((field, at) => [field, words[at] ?? 0])) as Header;
  return accessSpaceOf(sectionsOf(words, header));
}

type NetworkSections = ReturnType<typeof sectionsOf>;

function accessSpaceOf(sections: NetworkSections): AccessSpace {
  const numbers = accessNetworks();
  const isAccess = (value: number) => numbers.has(sections.asns[unpackValue(value).network] ?? 0);
  return { ipv4: accessIpv4(sections, isAccess), ipv6: accessIpv6(sections, isAccess) };
}

function accessIpv4(
  { ipv4Starts, ipv4Values }: NetworkSections,
  isAccess: (value: number) => boolean,
): RangeRow<Uint32Array> {
  const first = growingUint32();
  const last = growingUint32();
  for (let i = 0; i < ipv4Starts.length; i++) {
    if (!isAccess(ipv4Values[i] ?? 0)) continue;
    first.push(ipv4Starts[i] ?? 0);
    last.push((ipv4Starts[i + 1] ?? 2 ** 32) - 1);
  }
  return { first: first.finish(), last: last.finish() };
}

function accessIpv6(
  { ipv6High, ipv6Low, ipv6Values }: NetworkSections,
  isAccess: (value: number) => boolean,
): RangeRow<BigUint64Array> {
  const first = growingUint64();
  const last = growingUint64();
  const startAt = (i: number) =>
    i < ipv6High.length ? (BigInt(ipv6High[i] ?? 0) << 32n) | BigInt(ipv6Low[i] ?? 0) : 1n << 64n;
  for (let i = 0; i < ipv6High.length; i++) {
    if (!isAccess(ipv6Values[i] ?? 0)) continue;
    first.push(startAt(i));
    last.push(startAt(i + 1) - 1n);
  }
  return { first: first.finish(), last: last.finish() };
}

/** Home and mobile networks by AS number: the largest of each region of the world. */
export function accessNetworks(): ReadonlySet<number> {
  return new Set(readWords('networks/access-networks.txt').map(Number));
}
