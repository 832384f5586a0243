import { readJson, readRows } from '../lists/read-list.ts';
import type { NetworkKind } from '../lookup/ip-ranges-format.ts';

/** Words in a network’s name that show its purpose. All are matched in lower case. */

const VPN_NAME = /\bvpn\b|vpn\.|^[a-z0-9]+vpn\b/;

const PROXY_NAME = /\bprox(?:y|ies)\b|[a-z]prox(?:y|ies)\b/;

/** Words that only hosting companies use. `veri merkezi` is Turkish for data centre, `sunucu` for server. */
const HOSTING_NAME =
  /hosting|hospedagem|hostinger|\bvps|vps\b|\bvds\b|dedicated serv|data ?-?cent(?:er|re|rum)|datacamp|\bcolo\b|colocation|colocat|\bidc\b|web ?host|bare ?metal|serverhousing|\bservers\b|cloud ?(?:comput|serv|infra|tech)|veri merkezi|sunucu|anti-?ddos|\biaas\b/;

/** Words that hosting companies use, but other companies too. */
const HOSTING_HINT =
  /host\b|hosts\b|^host|\bhost|(?<!was|ob|con|re)server|cloud|\bcolo(?![mnprsu])|\brack|\bdedi(?!ca)|virtual (?:private|machine|serv)|\bcdn\b|(?<!bis)nodes?\b/;

/** Words of access providers. With one of these in the name, a hint is not enough. */
const ACCESS_NAME =
  /telecom|telekom|telco|telefon|telephon|comunica|communica|broadband|banda larga|\bcable|cabo|\bfib(?:er|re|ra)|wireless|wifi|wi-fi|\bisp\b|provedor|provider|proveedor|internet serv|mobile|\bgsm\b|\blte\b|\btv\b|television|multimidia|multimedia|\bnet(?:work)? ?com|university|universid|school|college|hospital|\bbank|government|ministry|municip|insurance|airline|hotel|\bvoip|\bvoice/;

/**
 * Networks that are classified by their AS number. `ordinary` keeps a network out of every class, whatever its name
 * says.
 */
interface KnownNetworks {
  readonly kind: NetworkKind;
  readonly reason: string;
  readonly numbers: readonly number[];
}

/** Companies with many networks of one kind, so that their future AS numbers are recognised too. */
interface KnownOperators {
  readonly kind: NetworkKind;
  readonly reason: string;
  /** How the names of their networks begin, in lower case. */
  readonly names: readonly string[];
}

/**
 * Carriers announce address space that their customers rented from brokers, and it stays registered in the broker’s
 * country. None of these carriers sells access in these countries, so such space is used by servers. VPN companies
 * moved there when the networks of their hosts became known.
 */
interface LeasedSpace {
  readonly carriers: readonly number[];
  readonly countries: readonly string[];
}

const numbersIn = (name: string): number[] => readRows(name).map(([number]) => Number(number));

/** Every network that is classified by its number. */
export function knownNetworks(): readonly KnownNetworks[] {
  return [
    ...readJson<readonly KnownNetworks[]>('networks/known-networks.json'),
    { kind: 'tor', reason: 'Tor exits and little else.', numbers: numbersIn('networks/tor-networks.tsv') },
    {
      kind: 'hosting',
      reason: 'Hosts whose names do not say so.',
      numbers: numbersIn('networks/hosting-networks.tsv'),
    },
  ];
}

const kindByNumber = new Map(
  knownNetworks().flatMap(({ kind, numbers }) => numbers.map((asn) => [asn, kind] as const)),
);

interface Operator {
  readonly kind: NetworkKind;
  readonly name: string;
}

/** Indexed by the first three letters of the name, because every network in the world is looked up. */
const operatorsByStart = new Map<string, Operator[]>();
for (const { kind, names } of readJson<readonly KnownOperators[]>('networks/known-operators.json')) {
  for (const name of names) {
    const start = name.slice(0, 3);
    operatorsByStart.set(start, [...(operatorsByStart.get(start) ?? []), { kind, name }]);
  }
}

/**
 * Classifies a network by its number, then by its company, then by the words in its name. A wrong `hosting` costs an
 * honest person a sign-up, while a missed one only costs a signal, so a doubtful name counts as ordinary.
 */
export function judgeNetwork(asn: number, name: string): NetworkKind {
  const byNumber = kindByNumber.get(asn);
  if (byNumber !== undefined) return byNumber;
  const lower = name.toLowerCase();
  const alike = operatorsByStart.get(lower.slice(0, 3));
  const byOperator = alike?.find((operator) => lower.startsWith(operator.name));
  return byOperator?.kind ?? judgeName(lower);
}

const leasedCountries = new Map<number, Set<string>>();
for (const { carriers, countries } of readJson<readonly LeasedSpace[]>('networks/leased-space.json')) {
  for (const carrier of carriers) {
    leasedCountries.set(carrier, new Set([...(leasedCountries.get(carrier) ?? []), ...countries]));
  }
}

/** Whether a carrier announces space there that must be rented out to a hosting company. */
export function isLeasedSpace(asn: number | undefined, country: string | undefined): boolean {
  if (asn === undefined || country === undefined) return false;
  return leasedCountries.get(asn)?.has(country) ?? false;
}

function judgeName(name: string): NetworkKind {
  const access = ACCESS_NAME.test(name);
  if (VPN_NAME.test(name) && !access) return 'vpn';
  if (PROXY_NAME.test(name) && !access) return 'proxy';
  if (HOSTING_NAME.test(name)) return 'hosting';
  return HOSTING_HINT.test(name) && !access ? 'hosting' : 'ordinary';
}
