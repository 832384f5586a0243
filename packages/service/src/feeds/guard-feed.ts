import { readWords } from '../lists/read-list.ts';
import type { AccessSpace } from './access-space.ts';
import { type AddressCount, type AddressRanges, countAddresses, countShared } from './address-ranges.ts';
import type { FeedCandidate } from './feed-candidate.ts';
import type { FeedSource, OverlayKind } from './feed-source.ts';
import { type FeedSizes, guardSizes, type MeasuredSizes, SizeChange } from './guard-size.ts';
import { guardNetworkTable } from './network-table.ts';

/** The most that a list of a kind can cover. */
interface AddressLimits {
  readonly ipv4: number;
  /** Counted in /64 networks. */
  readonly ipv6: number;
  /** IPv4 addresses inside the large access networks, which people use at home. */
  readonly access: number;
  /** The same for IPv6, in /64 networks. One home has 256 of them or more. */
  readonly accessIpv6: number;
}

const SIXTEEN = 2 ** 16;

/**
 * Estimates of several times the coverage of honest lists of each kind. For scale: all of IPv4 is 2^32 addresses, hosting in the
 * bundled data some 2^29, the access networks some 2^30; an IPv6 /32 is 2^32 networks of /64.
 */
const LIMITS: Readonly<Record<OverlayKind, AddressLimits>> = {
  tor: { ipv4: SIXTEEN, ipv6: SIXTEEN, access: 4_096, accessIpv6: 4_096 },
  vpn: { ipv4: 2 ** 26, ipv6: 2 ** 40, access: 2 ** 21, accessIpv6: 2 ** 32 },
  proxy: { ipv4: 2 ** 26, ipv6: 2 ** 40, access: 2 ** 21, accessIpv6: 2 ** 32 },
  hosting: { ipv4: 2 ** 30, ipv6: 2 ** 44, access: 2 ** 25, accessIpv6: 2 ** 36 },
  relay: { ipv4: 2 ** 24, ipv6: 2 ** 40, access: 2 ** 20, accessIpv6: 2 ** 32 },
  corporate: { ipv4: 2 ** 24, ipv6: 2 ** 40, access: 2 ** 20, accessIpv6: 2 ** 32 },
};

/** Throws if a list of ranges covers more of the internet than any honest list of its kind. */
function guardAddresses(kind: OverlayKind, ranges: AddressRanges, access: AccessSpace): AddressCount {
  const limits = LIMITS[kind];
  const covered = countAddresses(ranges);
  if (covered.ipv4 > limits.ipv4)
    throw new Error(
      `covers ${covered.ipv4} IPv4 addresses, more than the ${limits.ipv4} that a ${kind} list may`,
    );
  if (covered.ipv6 > limits.ipv6)
    throw new Error(
      `covers ${covered.ipv6} IPv6 networks of /64, more than the ${limits.ipv6} that a ${kind} list may`,
    );
  const homes = countShared<number>(ranges.ipv4, access.ipv4);
  if (homes > limits.access)
    throw new Error(
      `covers ${homes} addresses of home and mobile networks, more than the ${limits.access} that a ${kind} list may`,
    );
  const homesIpv6 = countShared<bigint>(ranges.ipv6, access.ipv6);
  if (homesIpv6 > limits.accessIpv6)
    throw new Error(
      `covers ${homesIpv6} IPv6 networks of /64 in home and mobile networks, more than the ${limits.accessIpv6} that a ${kind} list may`,
    );
  return covered;
}

/** A list that newly contains one of these is refused as poisoned. Smaller providers are removed when it is compiled. */
const NEVER_LISTED = readWords('domains/never-listed.txt');

export interface GuardOptions {
  /** The previously accepted list. `undefined` the first time. */
  readonly accepted: FeedSizes | undefined;
  readonly accessSpace: () => Promise<AccessSpace>;
  /** An operator has reviewed and accepted the change of size. All other guards still apply. */
  readonly acceptSize: boolean;
}

/** Throws an Error with the reason if the new list must not replace the last good one. Returns its sizes. */
export async function guardFeed(
  source: FeedSource,
  candidate: FeedCandidate,
  { accepted, accessSpace, acceptSize }: GuardOptions,
): Promise<MeasuredSizes> {
  const { count, content } = candidate;
  let ipv4Addresses: number | null = null;
  if (content.type === 'table') guardNetworkTable(content.table);
  else if (content.type === 'ranges' && source.use.list === 'networks' && 'kind' in source.use)
    ipv4Addresses = guardAddresses(source.use.kind, content.ranges, await accessSpace()).ipv4;
  else if (content.type === 'domains' && source.use.list === 'domains' && source.use.tier !== 'spared') {
    const provider = NEVER_LISTED.find((name) => content.entries.has(name));
    if (provider !== undefined) throw new Error(`names ${provider}`);
  }
  const measured = { entries: count, ipv4Addresses };
  if (acceptSize) return measured;
  if (count < source.minEntries)
    throw new SizeChange(`has ${count} entries, fewer than ${source.minEntries}`);
  if (accepted !== undefined) guardSizes(measured, accepted);
  return measured;
}
