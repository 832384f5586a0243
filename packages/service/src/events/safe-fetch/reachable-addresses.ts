import { lookup } from 'node:dns/promises';
import type { CidrSet } from '../../model/cidr.ts';
import { parseIpAddress } from '../../model/ip-address.ts';
import { isReserved } from '../../model/reserved-networks.ts';
import { within } from '../../model/within.ts';

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

/** Long enough for a resolver that answers. A warning is not worth more. */
const WARNING_LOOKUP_MS = 2_000;

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

/**
 * Whether every present address of the URL’s host is one that requests must not go to. `false` for a host without an
 * address: that may change until the first request.
 */
export async function leadsToReserved(
  url: string,
  allow: AllowedRanges,
  resolve: ResolveHost = systemResolve,
): Promise<boolean> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (host === '') return false;
  const looked = () => resolve(host).catch((): string[] => []);
  const found = parseIpAddress(host) !== undefined ? [host] : await within(looked(), WARNING_LOOKUP_MS, []);
  return found.length > 0 && found.every((address) => checkAddress(address, allow) === undefined);
}
