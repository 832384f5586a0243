import type { NetworkKind } from '../lookup/ip-ranges-format.ts';
import { KNOWN_NETWORKS } from './network-data/known-networks.ts';
import { KNOWN_OPERATORS } from './network-data/known-operators.ts';
import { LEASED_SPACE } from './network-data/leased-space.ts';
import {
  ACCESS_NAME,
  HOSTING_HINT,
  HOSTING_NAME,
  PROXY_NAME,
  VPN_NAME,
} from './network-data/name-keywords.ts';

const kindByNumber = new Map(
  KNOWN_NETWORKS.flatMap(({ kind, numbers }) => numbers.map((asn) => [asn, kind] as const)),
);
interface Operator {
  readonly kind: NetworkKind;
  readonly name: string;
}

/** By the first three letters of the name, for there are as many questions as networks in the world. */
const operatorsByStart = new Map<string, Operator[]>();
for (const { kind, names } of KNOWN_OPERATORS) {
  for (const name of names) {
    const start = name.slice(0, 3);
    operatorsByStart.set(start, [...(operatorsByStart.get(start) ?? []), { kind, name }]);
  }
}

/**
 * What a network is for, by its number, else by whose it is, else by the words in its name. A wrong `hosting` costs an
 * honest person a sign-up, a missed one only a signal: a doubtful name is an ordinary one.
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
for (const { carriers, countries } of LEASED_SPACE) {
  for (const carrier of carriers) {
    leasedCountries.set(carrier, new Set([...(leasedCountries.get(carrier) ?? []), ...countries]));
  }
}

/** Whether a carrier announces space there that it can only have rented out to a host. */
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
