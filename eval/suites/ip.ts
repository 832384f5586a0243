import { parseIpAddress } from '../../packages/service/src/model/ip-address.ts';
import { addressOf, checkInput, compiledData, inspect } from '../check-input.ts';
import { scoreOf, share } from '../figures.ts';
import { readCorpus, type Suite } from '../suite.ts';

interface Entry {
  readonly address: string;
  /** A kind as the check’s metadata names it. */
  readonly label: string;
  readonly why: string;
}

const FAILING_KINDS = new Set(['tor', 'vpn', 'proxy', 'hosting']);

/** Hosting, VPN, proxy and Tor addresses among people’s own; bundled data only. No npm package does this offline. */
export const ipSuite: Suite = {
  name: 'ip',
  run: async () => {
    const { createIpCheck } = await import('../../packages/service/src/checks/ip/ip-check.ts');
    const { loadIpRanges } = await import('../../packages/service/src/lookup/ip-ranges.ts');
    const corpus = await readCorpus<Entry>('ip');
    const ranges = loadIpRanges(await compiledData('networks.bin'));
    const check = createIpCheck({ ranges: () => ranges, operatorDatabase: undefined });
    const anybody = addressOf('jane@example.com');
    const judged = await Promise.all(
      corpus.map(async (entry) => {
        const ip = parseIpAddress(entry.address);
        if (ip === undefined) throw new Error(`${entry.address} in the corpus is not an IP address`);
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
    const foundOf = (label: string) =>
      share(
        judged.filter(({ entry }) => entry.label === label),
        ({ failed }) => failed,
      );
    const ipv6 = share(
      judged.filter(({ entry }) => entry.address.includes(':')),
      ({ entry, failed }) => failed === FAILING_KINDS.has(entry.label),
    );
    const more = { kind: kinds, tor: foundOf('tor'), vpn: foundOf('vpn'), hosting: foundOf('hosting'), ipv6 };
    return { entries: corpus.length, ...scoreOf(judgements, more) };
  },
};
