import { readWords } from '../../packages/service/src/lists/read-list.ts';
import { parseIpAddress } from '../../packages/service/src/model/ip-address.ts';
import { compiledData } from '../check-input.ts';
import { scoreOf } from '../figures.ts';
import { OURS, type Suite } from '../suite.ts';

const FAILING_KINDS = new Set(['tor', 'vpn', 'proxy', 'hosting']);

/**
 * Tor exits of July 2026, judged only by their networks, without the bundled list of exits. This shows how well the check
 * finds exits that are newer than the list.
 */
export const torExitsSuite: Suite = {
  name: 'torExits',
  run: async () => {
    const { loadIpRanges } = await import('../../packages/service/src/lookup/ip-ranges.ts');
    const { judgeNetwork } = await import('../../packages/service/src/feeds/judge-network.ts');
    const { knownRanges } = await import('../../packages/service/src/feeds/known-ranges.ts');
    const { createCidrSet } = await import('../../packages/service/src/model/cidr.ts');
    const ranges = loadIpRanges(await compiledData('networks.bin'));
    const torRanges = createCidrSet(knownRanges('tor'));
    const judgements = readWords('networks/tor-exits.txt').map((entry) => {
      const ip = parseIpAddress(entry);
      if (ip === undefined) throw new Error(`${entry} in the list of exits is not an IP address`);
      const { asn, network } = ranges.lookup(ip);
      const kind = torRanges.has(ip)
        ? 'tor'
        : asn === undefined
          ? 'ordinary'
          : judgeNetwork(asn, network ?? '');
      return {
        entry,
        expected: true,
        found: FAILING_KINDS.has(kind),
        why: `${kind}: ${network ?? 'no network'}`,
      };
    });
    return { entries: judgements.length, scores: [scoreOf(OURS, judgements)] };
  },
};
