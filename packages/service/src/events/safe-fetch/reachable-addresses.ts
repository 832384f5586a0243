import { lookup } from 'node:dns/promises';
import type { CidrSet } from '../../model/cidr.ts';
import { parseIpAddress } from '../../model/ip-address.ts';
import { isReserved } from '../../model/reserved-networks.ts';

/** Every address of a host name, in the order in which they should be tried. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Azure’s platform endpoint. It hands out credentials like other clouds’ metadata services, from a public address. */
const CLOUD_METADATA: ReadonlySet<string> = new Set(['168.63.129.16']);

export const systemResolve: ResolveHost = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** `everything`: the operator configured this host, so any address is allowed. */
export type AllowedRanges = CidrSet | 'everything' | undefined;

/**
 * The address as a connection may use it, or `undefined` when a request must not go there: private, loopback,
 * link-local, carrier-NAT, unique-local and metadata addresses, also inside IPv4-mapped, NAT64 and 6to4 forms.
 */
export function checkAddress(text: string, allow: AllowedRanges): CheckedAddress | undefined {
  const ip = parseIpAddress(text);
  if (ip === undefined) return undefined;
  // For an IPv4-mapped address, the connection goes to the IPv4 address that was checked.
  const checked = { address: ip.text, family: ip.version };
  if (allow === 'everything' || allow?.has(ip) === true) return checked;
  return isReserved(ip) || CLOUD_METADATA.has(ip.text) ? undefined : checked;
}
