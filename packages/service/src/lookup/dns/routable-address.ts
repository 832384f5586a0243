import { BlockList, isIP } from 'node:net';

/** The IPv4 ranges that the internet cannot reach: IANA’s special-purpose registry (RFC 6890), multicast, class E. */
const UNROUTABLE_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** Special-purpose ranges inside 2000::/3, the only part of IPv6 that is routed as global unicast. */
const UNROUTABLE_IPV6 = [
  ['2001::', 32],
  ['2001:2::', 48],
  ['2001:10::', 28],
  ['2001:20::', 28],
  ['2001:db8::', 32],
  ['3fff::', 20],
] as const;

const unroutable = new BlockList();
for (const [network, prefix] of UNROUTABLE_IPV4) {
  unroutable.addSubnet(network, prefix, 'ipv4');
  // 6to4 (RFC 3056) leads to the IPv4 address that it holds: `2002:7f00:1::` is 127.0.0.1.
  unroutable.addSubnet(`2002:${hexGroups(network)}::`, 16 + prefix, 'ipv6');
}
for (const [network, prefix] of UNROUTABLE_IPV6) unroutable.addSubnet(network, prefix, 'ipv6');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** An IPv4 address as two groups of an IPv6 one. */
function hexGroups(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** Whether mail from the internet could get to the address. */
export function isRoutable(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !unroutable.check(address, 'ipv4');
    case 6:
      return globalUnicast.check(address, 'ipv6') && !unroutable.check(address, 'ipv6');
    default:
      return false;
  }
}
