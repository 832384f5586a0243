import { readJson, readWords } from '../lists/read-list.ts';
import type { NetworkKind } from '../lookup/ip-ranges-format.ts';
import { type Cidr, parseCidr } from '../model/cidr.ts';

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
export function bundledTorExits(): Cidr[] {
  return readWords('networks/tor-exits.txt').map(readRange);
}

function readRange(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr === undefined) throw new Error(`${text} in lists/networks is not a range`);
  return cidr;
}
