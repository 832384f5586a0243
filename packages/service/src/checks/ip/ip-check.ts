import type { Signal } from '@postern/contract';
import { type IpRanges, NETWORK_KINDS, type NetworkKind } from '../../lookup/ip-ranges.ts';
import type { OperatorDatabase } from '../../lookup/operator-mmdb.ts';
import type { IpAddress } from '../../model/ip-address.ts';
import { isReserved } from '../../model/reserved-networks.ts';
import type { Check, CheckInput, Finding } from '../check.ts';
import { listHasIp } from './project-ip-list.ts';

export interface IpCheckData {
  /** Feeds replace the data. `undefined` while there is none. */
  readonly ranges: () => IpRanges | undefined;
  readonly operatorDatabase?: OperatorDatabase | undefined;
}

/** The kinds that fail, with their error and signal. Relays and corporate gateways carry ordinary people, and pass. */
const FAILURES: Partial<Readonly<Record<NetworkKind, { readonly signal: Signal; readonly error: string }>>> =
  {
    tor: { signal: 'tor_exit', error: 'The IP address is a Tor exit' },
    vpn: { signal: 'vpn_detected', error: 'The IP address belongs to a VPN' },
    proxy: { signal: 'proxy_detected', error: 'The IP address is a proxy' },
    hosting: { signal: 'hosting_ip', error: 'The IP address belongs to a hosting network' },
  };

/** Checks where the request came from: the project’s own lists first, then the network data. */
export function createIpCheck(data: IpCheckData): Check {
  return {
    needs: 'ip',
    needsDns: false,
    inspect: (input) => {
      if (input.ip === undefined) return { result: 'unknown', reason: 'no client address' };
      return withBurst(inspectAddress(input.ip, input, data), input);
    },
  };
}

/** Where many people share a network by design, many of them at once say nothing. */
const SHARED_BY_DESIGN: readonly unknown[] = ['private', 'allowed', 'relay', 'corporate'];

/** Adds that the network brought far more new inboxes than usual. It fails nobody; a project’s policy can act on it. */
function withBurst(finding: Finding, { activity }: CheckInput): Finding {
  if (activity === undefined || SHARED_BY_DESIGN.includes(finding.metadata?.kind)) return finding;
  const burst = activity.networkBurst();
  if (burst === undefined) return finding;
  return {
    ...finding,
    signals: [...(finding.signals ?? []), 'network_burst'],
    metadata: { ...finding.metadata, burst },
  };
}

function inspectAddress(ip: IpAddress, input: CheckInput, data: IpCheckData): Finding {
  const address = ip.text;
  if (listHasIp(input.allowList, ip, input.now))
    return { result: 'passed', metadata: { address, kind: 'allowed' } };
  if (listHasIp(input.blockList, ip, input.now)) {
    return {
      result: 'failed',
      error: 'The IP address is blocked',
      signals: ['ip_blocked'],
      metadata: { address, kind: 'blocked' },
    };
  }
  if (isReserved(ip)) return { result: 'passed', metadata: { address, kind: 'private' } };
  const ranges = data.ranges();
  const stated = data.operatorDatabase?.kindOf(ip);
  if (ranges === undefined && stated === undefined) {
    return {
      result: 'unknown',
      reason: 'no network data is loaded',
      metadata: { address, kind: 'unknown' },
    };
  }
  const record = ranges?.lookup(ip);
  const metadata: IpMetadata = { address, kind: firstKind(stated, record?.kind) };
  if (record?.asn !== undefined) metadata.asn = record.asn;
  if (record?.network !== undefined) metadata.network = record.network;
  if (record?.country !== undefined) metadata.country = record.country;
  if (ranges !== undefined) metadata.dataVersion = ranges.version;
  return judge(metadata);
}

/**
 * If two sources disagree, the class with the higher priority wins. A licensed database correctly classifies the
 * machines of a relay or a gateway as servers, but that must not fail the ordinary people who use them.
 */
function firstKind(...stated: readonly (NetworkKind | undefined)[]): NetworkKind {
  return NETWORK_KINDS.find((kind) => kind !== 'ordinary' && stated.includes(kind)) ?? 'ordinary';
}

/** A type instead of an interface, so that it is assignable to a record of unknown fields. */
type IpMetadata = {
  address: string;
  kind: NetworkKind;
  asn?: number;
  network?: string;
  country?: string;
  dataVersion?: string;
};

function judge(metadata: Readonly<IpMetadata>): Finding {
  const failure = FAILURES[metadata.kind];
  if (failure === undefined) return { result: 'passed', metadata };
  return { result: 'failed', error: failure.error, signals: [failure.signal], metadata };
}
