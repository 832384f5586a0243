import { type CidrSet, createCidrSet, parseCidr } from './cidr.ts';
import { type IpAddress, type Ipv4Address, type Ipv6Address, ipv4Address } from './ip-address.ts';

/** Private, loopback and link-local ranges. No host on the public internet has such an address. */
export const PRIVATE_NETWORKS: readonly string[] = [
  '10.0.0.0/8', // RFC 1918
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8', // RFC 1122
  '169.254.0.0/16', // RFC 3927
  '::1/128', // RFC 4291
  'fc00::/7', // RFC 4193
  'fe80::/10', // RFC 4291
];

/** The rest of IANA's special-purpose registries (RFC 6890) that is not reachable from the internet. */
const OTHER_RESERVED: readonly string[] = [
  '0.0.0.0/8', // RFC 791
  '100.64.0.0/10', // RFC 6598, a carrier’s own side of their NAT
  '192.0.0.0/24', // RFC 6890
  '192.0.2.0/24', // RFC 5737, documentation, with the next two
  '198.51.100.0/24',
  '203.0.113.0/24',
  '192.88.99.0/24', // RFC 7526, the dead 6to4 anycast
  '198.18.0.0/15', // RFC 2544
  '224.0.0.0/4', // RFC 5771
  '240.0.0.0/4', // RFC 1112
  '2001::/23', // RFC 2928, Teredo among them
  '2001:db8::/32', // RFC 3849
  '3fff::/20', // RFC 9637
];

const GLOBAL_UNICAST = cidrSet(['2000::/3']);
const RESERVED = cidrSet([...PRIVATE_NETWORKS, ...OTHER_RESERVED]);

/**
 * The IPv4 address embedded in NAT64 (RFC 6052) and 6to4 (RFC 3056) addresses. It decides whether they are reserved.
 */
export function embeddedIpv4(ip: Ipv6Address): Ipv4Address | undefined {
  const [first, second, third, fourth] = ip.words;
  if (first === 0x0064ff9b && second === 0 && third === 0) return ipv4Address(fourth);
  return first >>> 16 === 0x2002 ? ipv4Address(((first << 16) | (second >>> 16)) >>> 0) : undefined;
}

/**
 * Whether the internet cannot reach the address. No IPv6 address outside 2000::/3 is assigned (RFC 3587), and
 * `64:ff9b::7f00:1` is another way to say 127.0.0.1.
 */
export function isReserved(ip: IpAddress): boolean {
  if (ip.version === 4) return RESERVED.has(ip);
  const ipv4 = embeddedIpv4(ip);
  if (ipv4 !== undefined) return RESERVED.has(ipv4);
  return !GLOBAL_UNICAST.has(ip) || RESERVED.has(ip);
}

function cidrSet(ranges: readonly string[]): CidrSet {
  return createCidrSet(ranges.map((text) => parseCidr(text)).filter((cidr) => cidr !== undefined));
}
