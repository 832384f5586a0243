import type { Signal } from '@postern/contract';
import type { IpRanges, IpRecord, NetworkKind } from '../../lookup/ip-ranges.ts';
import type { OperatorDatabase } from '../../lookup/operator-mmdb.ts';
import type { IpAddress } from '../../model/ip-address.ts';
import { isReserved } from '../../model/reserved-networks.ts';
import type { Check, CheckInput, Finding } from '../check.ts';
import { listHasIp } from './project-ip-list.ts';

export interface IpCheckData {
  /** Feeds swap what is behind it; `undefined` while there is no data. */
  readonly ranges: () => IpRanges | undefined;
  readonly operatorDatabase?: OperatorDatabase | undefined;
}

/** The kinds that fail, with what is said of them. Relays and corporate gateways carry ordinary people, and pass. */
const FAILURES: Partial<Readonly<Record<NetworkKind, { readonly signal: Signal; readonly error: string }>>> =
  {
    tor: { signal: 'tor_exit', error: 'The IP address is a Tor exit' },
    vpn: { signal: 'vpn_detected', error: 'The IP address belongs to a VPN' },
    proxy: { signal: 'proxy_detected', error: 'The IP address is a proxy' },
    hosting: { signal: 'hosting_ip', error: 'The IP address belongs to a hosting network' },
  };

/** Where the request came from: the project’s own lists first, then what is known of the network. */
export function createIpCheck(data: IpCheckData): Check {
  return {
    applies: (input) => input.ip !== undefined,
    inspect: (input) => {
      if (input.ip === undefined) return { outcome: 'unknown', reason: 'no client address' };
      return inspectAddress(input.ip, input, data);
    },
  };
}

function inspectAddress(ip: IpAddress, input: CheckInput, data: IpCheckData): Finding {
  const address = ip.text;
  if (listHasIp(input.allowList, ip, input.now))
    return { outcome: 'passed', metadata: { address, kind: 'allowed' } };
  if (listHasIp(input.blockList, ip, input.now)) {
    return {
      outcome: 'failed',
      error: 'The IP address is blocked',
      signals: ['ip_blocked'],
      metadata: { address, kind: 'blocked' },
    };
  }
  if (isReserved(ip)) return { outcome: 'passed', metadata: { address, kind: 'private' } };
  const ranges = data.ranges();
  const stated = data.operatorDatabase?.kindOf(ip);
  if (ranges === undefined && stated === undefined) {
    return {
      outcome: 'unknown',
      reason: 'no network data is loaded',
      metadata: { address, kind: 'unknown' },
    };
  }
  const record = ranges?.lookup(ip);
  return judge(stated ?? record?.kind ?? 'ordinary', {
    address,
    ...known(record),
    ...(ranges === undefined ? {} : { dataVersion: ranges.version }),
  });
}

function judge(kind: NetworkKind, facts: Readonly<Record<string, unknown>>): Finding {
  const metadata = { kind, ...facts };
  const failure = FAILURES[kind];
  if (failure === undefined) return { outcome: 'passed', metadata };
  return { outcome: 'failed', error: failure.error, signals: [failure.signal], metadata };
}

function known(record: IpRecord | undefined): Readonly<Record<string, unknown>> {
  return {
    ...(record?.asn === undefined ? {} : { asn: record.asn }),
    ...(record?.network === undefined ? {} : { network: record.network }),
    ...(record?.country === undefined ? {} : { country: record.country }),
  };
}
