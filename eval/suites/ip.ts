import { createIpCheck } from '../../packages/service/src/checks/ip/ip-check.ts';
import { loadIpRanges } from '../../packages/service/src/lookup/ip-ranges.ts';
import { addressOf, checkInput, compiledData, FAILING_KINDS, inspect, ipIn } from '../check-input.ts';
import { scoreOf, share } from '../figures.ts';
import { readCorpus, type Suite } from '../suite.ts';

interface Entry {
  readonly address: string;
  /** A kind as the check’s metadata names it. */
  readonly label: string;
  readonly why: string;
}

/** Hosting, VPN, proxy and Tor addresses among people’s own; bundled data only. No npm package does this offline. */
export const ipSuite: Suite = {
  name: 'ip',
  run: async () => {
    const corpus = await readCorpus<Entry>('ip');
    const ranges = loadIpRanges(await compiledData('networks.bin'));
    const check = createIpCheck({ ranges: () => ranges, operatorDatabase: undefined });
    const anybody = addressOf('jane@example.com');
    const judged = await Promise.all(
      corpus.map(async (entry) => {
        const ip = ipIn(entry.address);
        const { result, metadata } = await inspect(check, checkInput(anybody, { ip }));
        return { entry, failed: result === 'failed', kind: String(metadata?.kind) };
      }),
    );
    const judgements = judged.map(({ entry, failed, kind }) => ({
      entry: entry.address,
      expected: FAILING_KINDS.has(entry.label),
      found: failed,
      why: `called ${kind}, labelled ${entry.label}, ${entry.why}`,
    }));
    const kinds = share(judged, ({ entry, kind }) => kind === entry.label);
    type Judged = (typeof judged)[number];
    const isFound = ({ failed }: Judged) => failed;
    const foundOf = (label: string) => share(judged, isFound, ({ entry }) => entry.label === label);
    const isRight = ({ entry, failed }: Judged) => failed === FAILING_KINDS.has(entry.label);
    const ipv6 = share(judged, isRight, ({ entry }) => entry.address.includes(':'));
    const more = { kind: kinds, tor: foundOf('tor'), vpn: foundOf('vpn'), hosting: foundOf('hosting'), ipv6 };
    return { entries: corpus.length, ...scoreOf(judgements, more) };
  },
};
