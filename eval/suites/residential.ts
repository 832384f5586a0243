import { accessNetworks } from '../../packages/service/src/feeds/access-space.ts';
import { readWords } from '../../packages/service/src/lists/read-list.ts';
import { loadIpRanges } from '../../packages/service/src/lookup/ip-ranges.ts';
import { compiledData, FAILING_KINDS } from '../check-input.ts';
import { share } from '../figures.ts';
import { sampledAddresses } from '../sampled-addresses.ts';
import type { Suite } from '../suite.ts';

/** Words in the names of networks that connect homes and phones. */
const ACCESS_NAME =
  /\b(?:tele[ck]om\w*|broadband|cable\w*|fib(?:er|re|ra)\w*|wireless|mobile|cellular|dsl)\b/i;

/** Words in the names of data centres, which some of these networks run too. */
const SERVER_NAME = /hosting|data ?cent|\bidc\b|\bvds\b|cloud|server|colocation/i;

interface Judged {
  readonly entry: string;
  readonly version: 4 | 6;
  /** Whether the network is one of the large access networks. If not, only its name says what it is. */
  readonly known: boolean;
  readonly failed: boolean;
  readonly network: string;
}

/**
 * Addresses that people have at home and on the phone: the first and the middle one of every range that such a network
 * announces. A person fails the check if one of them is called a server’s. Tor exits that run at home are left out.
 */
export const residentialSuite: Suite = {
  name: 'residential',
  run: async () => {
    const bytes = await compiledData('networks.bin');
    const ranges = loadIpRanges(bytes);
    const access = accessNetworks();
    const exits = new Set(readWords('networks/tor-exits.txt'));
    const judged: Judged[] = [];
    for (const ip of sampledAddresses(bytes)) {
      const { asn, network = '', kind } = ranges.lookup(ip);
      // The space between ranges is not announced.
      if (asn === undefined || exits.has(ip.text)) continue;
      const known = access.has(asn);
      if (!known && (!ACCESS_NAME.test(network) || SERVER_NAME.test(network))) continue;
      judged.push({ entry: ip.text, version: ip.version, known, failed: FAILING_KINDS.has(kind), network });
    }
    const isSpared = ({ failed }: Judged) => !failed;
    const spared = (version: 4 | 6, known: boolean) =>
      share(judged, isSpared, (one) => one.version === version && one.known === known);
    const misses = judged
      .filter(({ failed }) => failed)
      .map(({ entry, network }) => ({ entry, what: `called a server’s: ${network}` }));
    const figures = {
      spared: share(judged, isSpared, ({ known }) => known),
      ipv4Spared: spared(4, true),
      ipv6Spared: spared(6, true),
      namedIpv4Spared: spared(4, false),
      namedIpv6Spared: spared(6, false),
    };
    return { entries: judged.length, figures, misses };
  },
};
