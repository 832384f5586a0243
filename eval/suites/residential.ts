import { accessNetworks } from '../../packages/service/src/feeds/access-networks.ts';
import { readWords } from '../../packages/service/src/lists/read-list.ts';
import {
  HEADER_FIELDS,
  type Header,
  type Sections,
  sectionsOf,
} from '../../packages/service/src/lookup/ip-ranges-format.ts';
import {
  type IpAddress,
  ipAddressOfWords,
  ipv4Address,
} from '../../packages/service/src/model/ip-address.ts';
import { compiledData } from '../check-input.ts';
import { share } from '../figures.ts';
import { OURS, type Suite } from '../suite.ts';

const FAILING_KINDS = new Set<string>(['tor', 'vpn', 'proxy', 'hosting']);

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
    const { loadIpRanges } = await import('../../packages/service/src/lookup/ip-ranges.ts');
    const bytes = await compiledData('networks.bin');
    const ranges = loadIpRanges(bytes);
    const access = accessNetworks();
    const exits = new Set(readWords('networks/tor-exits.txt'));
    const judged: Judged[] = [];
    for (const ip of sampledAddresses(bytes)) {
      const { asn, network = '', kind } = ranges.lookup(ip);
      // Nobody announces the space between ranges.
      if (asn === undefined || exits.has(ip.text)) continue;
      const known = access.has(asn);
      if (!known && (!ACCESS_NAME.test(network) || SERVER_NAME.test(network))) continue;
      judged.push({ entry: ip.text, version: ip.version, known, failed: FAILING_KINDS.has(kind), network });
    }
    const spared = (version: 4 | 6, known: boolean) =>
      share(
        judged.filter((one) => one.version === version && one.known === known),
        ({ failed }) => !failed,
      );
    const misses = judged
      .filter(({ failed }) => failed)
      .map(({ entry, network }) => ({ entry, what: `called a server’s: ${network}` }));
    const figures = {
      ipv4Spared: spared(4, true),
      ipv6Spared: spared(6, true),
      namedIpv4Spared: spared(4, false),
      namedIpv6Spared: spared(6, false),
    };
    return { entries: judged.length, scores: [{ contestant: OURS, figures, misses }] };
  },
};

function* sampledAddresses(bytes: Uint8Array): Generator<IpAddress> {
  const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const header = Object.fromEntries(HEADER_FIELDS.map((field, at) => [field, words[at] ?? 0])) as Header;
  const sections = sectionsOf(words, header);
  yield* sampledIpv4(sections);
  yield* sampledIpv6(sections);
}

function* sampledIpv4({ ipv4Starts }: Sections): Generator<IpAddress> {
  for (const [at, start] of ipv4Starts.entries()) {
    const next = ipv4Starts[at + 1] ?? 2 ** 32;
    yield ipv4Address(start);
    yield ipv4Address(start + Math.floor((next - start) / 2));
  }
}

function* sampledIpv6({ ipv6High, ipv6Low }: Sections): Generator<IpAddress> {
  const startAt = (at: number) => (BigInt(ipv6High[at] ?? 0) << 32n) | BigInt(ipv6Low[at] ?? 0);
  for (let at = 0; at + 1 < ipv6High.length; at += 1) {
    const start = startAt(at);
    for (const network of [start, start + (startAt(at + 1) - start) / 2n])
      yield ipAddressOfWords([Number(network >> 32n), Number(network & 0xffff_ffffn), 0, 1]);
  }
}
