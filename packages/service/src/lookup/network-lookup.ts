import type { IpAddress } from '../model/ip-address.ts';
import type { NetworkFacts } from '../model/network-facts.ts';
import { isReserved } from '../model/reserved-networks.ts';
import { type IpRanges, NETWORK_KINDS, type NetworkKind } from './ip-ranges.ts';
import type { OperatorDatabase } from './operator-mmdb.ts';

export interface NetworkData {
  /** Feeds replace the data. `undefined` while there is none. */
  readonly ranges: () => IpRanges | undefined;
  readonly operatorDatabase?: OperatorDatabase | undefined;
}

const PRIVATE: NetworkFacts = { kind: 'private' };

/** The kind of the address, its operator and country. `undefined` when no data is loaded. */
export function lookUpNetwork(data: NetworkData, ip: IpAddress): NetworkFacts | undefined {
  if (isReserved(ip)) return PRIVATE;
  const ranges = data.ranges();
  const stated = data.operatorDatabase?.kindOf(ip);
  if (ranges === undefined && stated === undefined) return undefined;
  const record = ranges?.lookup(ip);
  const facts: { -readonly [Name in keyof NetworkFacts]: NetworkFacts[Name] } = {
    kind: stated === undefined ? (record?.kind ?? 'ordinary') : firstKind(stated, record?.kind),
  };
  if (record?.asn !== undefined) facts.asn = record.asn;
  if (record?.network !== undefined) facts.network = record.network;
  if (record?.country !== undefined) facts.country = record.country;
  if (ranges !== undefined) facts.dataVersion = ranges.version;
  return facts;
}

/**
 * If two sources disagree, the class with the higher priority wins. A licensed database correctly classifies the
 * machines of a relay or a gateway as servers, but that must not fail the ordinary people who use them.
 */
function firstKind(one: NetworkKind, other: NetworkKind | undefined): NetworkKind {
  return NETWORK_KINDS.find((kind) => kind !== 'ordinary' && (kind === one || kind === other)) ?? 'ordinary';
}
