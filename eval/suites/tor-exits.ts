import { accessNetworks } from '../../packages/service/src/feeds/access-space.ts';
import { knownRanges } from '../../packages/service/src/feeds/compile-networks.ts';
import { judgeNetwork } from '../../packages/service/src/feeds/judge-network.ts';
import { readWords } from '../../packages/service/src/lists/read-list.ts';
import { loadIpRanges } from '../../packages/service/src/lookup/ip-ranges.ts';
import { createCidrSet } from '../../packages/service/src/model/cidr.ts';
import type { IpAddress } from '../../packages/service/src/model/ip-address.ts';
import { compiledData, FAILING_KINDS, ipIn } from '../check-input.ts';
import { scoreOf, share } from '../figures.ts';
import { sampledAddresses } from '../sampled-addresses.ts';
import { readCorpus, type Suite } from '../suite.ts';

/**
 * Tor exits of July 2026, judged only by their networks, without the bundled list of exits. This shows how well the check
 * finds exits that are newer than the list. The others are people at home and on the phone, who must not fail, and other
 * servers, which must not be called Tor.
 */
export const torExitsSuite: Suite = {
  name: 'torExits',
  run: async () => {
    const bytes = await compiledData('networks.bin');
    const kindOf = judgeByNetwork(bytes);
    const listed = readWords('networks/tor-exits.txt');
    const exits = new Set(listed);
    const access = accessNetworks();
    const judgements = listed.map((entry) => {
      const { kind, network } = kindOf(ipIn(entry));
      return { entry, expected: true, found: FAILING_KINDS.has(kind), why: `${kind}: ${network}` };
    });
    for (const ip of sampledAddresses(bytes)) {
      const { asn, kind, network } = kindOf(ip);
      if (asn === undefined || !access.has(asn) || exits.has(ip.text)) continue;
      const found = FAILING_KINDS.has(kind);
      judgements.push({ entry: ip.text, expected: false, found, why: `${kind}: ${network}` });
    }
    const servers = (await readCorpus<{ address: string; label: string }>('ip')).filter(
      ({ label }) => FAILING_KINDS.has(label) && label !== 'tor',
    );
    const serversNotTor = share(servers, ({ address }) => kindOf(ipIn(address)).kind !== 'tor');
    return { entries: judgements.length, ...scoreOf(judgements, { serversNotTor }) };
  },
};

/** Judges an address by its network and by the ranges of exit operators. */
function judgeByNetwork(bytes: Uint8Array) {
  const ranges = loadIpRanges(bytes);
  const torRanges = createCidrSet(knownRanges('tor'));
  return (ip: IpAddress) => {
    const { asn, network = 'no network' } = ranges.lookup(ip);
    if (torRanges.has(ip)) return { asn, network, kind: 'tor' };
    return { asn, network, kind: asn === undefined ? 'ordinary' : judgeNetwork(asn, network) };
  };
}
