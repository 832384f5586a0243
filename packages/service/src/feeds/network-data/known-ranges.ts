import type { NetworkKind } from '../../lookup/ip-ranges-format.ts';
import { type Cidr, parseCidr } from '../../model/cidr.ts';

/**
 * Zscaler’s data centres, from its published list of ranges: the ones that other networks announce stand here too,
 * for employees would be called servers there.
 */
const ZSCALER = `
  8.25.203.0/24 58.220.95.0/24 64.215.22.0/24 70.39.159.0/24 72.52.96.0/26 87.58.64.0/18 89.167.131.0/24 94.188.131.0/25
  98.98.26.0/24 98.98.27.0/24 98.98.28.0/24 101.2.192.0/18 104.129.192.0/20 112.137.170.0/24 124.248.141.0/24
  128.177.125.0/24 136.226.0.0/16 137.83.128.0/18 140.210.152.0/23 147.161.128.0/17 154.113.23.0/24 165.225.0.0/17
  165.225.192.0/18 167.103.0.0/16 170.85.0.0/16 185.46.212.0/22 194.9.96.0/20 194.9.112.0/22 194.9.116.0/24 197.98.201.0/24
  198.14.64.0/18 199.168.148.0/22 211.144.19.0/24 213.52.102.0/24 213.152.228.0/24 216.52.207.64/26 216.218.133.192/26
  220.243.154.0/23 221.122.91.0/24 2400:7aa0::/32 2605:4300::/32 2a03:eec0::/32`;

/** Palo Alto Networks’ own address space, which Prisma Access uses inside public clouds. */
const PRISMA_ACCESS =
  '66.159.192.0/19 130.41.0.0/16 134.238.0.0/16 137.83.192.0/18 165.1.128.0/17 208.127.0.0/16';

/** Netskope’s own address space. */
const NETSKOPE = '163.116.128.0/17 162.10.0.0/17 31.186.239.0/24 8.36.116.0/24 8.39.144.0/24';

/** Cisco Umbrella’s secure internet gateway. */
const UMBRELLA = '146.112.0.0/16 151.186.0.0/16 155.190.0.0/16';

/** Blocks that Apple’s list of Private Relay egress ranges draws from: Akamai, Cloudflare and Fastly, in this order. */
const PRIVATE_RELAY = `
  172.224.0.0/13 2a02:26f7::/32 104.28.0.0/16 2606:54c0::/32 2a09:bac0::/29 146.75.0.0/16 140.248.0.0/16 2a04:4e41::/32`;

/** Space that VPN companies hold themselves and let others announce: Proton, Avast (HMA), Strong Technology, Powerhouse (VyprVPN). */
const VPN_COMPANIES = '185.159.156.0/22 5.62.0.0/18 216.131.64.0/18 128.90.0.0/16';

/** Space of an access network that is let to VPN companies alone: Keminet’s, where nearly all of Albania’s servers stand. */
const LET_TO_VPN_COMPANIES = '31.171.152.0/22';

/**
 * Ranges that their holders give to Tor exits alone: Zwiebelfreunde and friends, Applied Privacy, DFRI, Emerald Onion,
 * Nothing to Hide, Calyx. All other exits need the exit list.
 */
const TOR_EXITS = `
  185.220.100.0/22 109.70.100.0/24 171.25.193.0/24 23.129.64.0/24 192.42.116.0/24 162.247.74.0/24`;

/** Ranges that are of a kind whatever network announces them. */
export const KNOWN_RANGES: Partial<Readonly<Record<NetworkKind, readonly Cidr[]>>> = {
  corporate: readRanges([ZSCALER, PRISMA_ACCESS, NETSKOPE, UMBRELLA].join(' ')),
  relay: readRanges(PRIVATE_RELAY),
  tor: readRanges(TOR_EXITS),
  vpn: readRanges([VPN_COMPANIES, LET_TO_VPN_COMPANIES].join(' ')),
};

function readRanges(text: string): Cidr[] {
  return text
    .trim()
    .split(/\s+/)
    .map((range) => {
      const cidr = parseCidr(range);
      if (cidr === undefined) throw new Error(`${range} is no range`);
      return cidr;
    });
}
