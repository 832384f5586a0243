import type { Signal } from '@postern/contract';
import { lookUpNetwork, type NetworkData } from '../../lookup/network-lookup.ts';
import { recallNetwork } from '../../model/crowd-finding.ts';
import type { IpAddress } from '../../model/ip-address.ts';
import type { Check, CheckInput, Finding } from '../check.ts';

/** The kinds that fail, with their error and signal. Relays and corporate gateways carry ordinary people, and pass. */
const FAILURES: Readonly<Record<string, { readonly signal: Signal; readonly error: string } | undefined>> = {
  tor: { signal: 'tor_exit', error: 'The IP address is a Tor exit' },
  vpn: { signal: 'vpn_detected', error: 'The IP address belongs to a VPN' },
  proxy: { signal: 'proxy_detected', error: 'The IP address is a proxy' },
  hosting: { signal: 'hosting_ip', error: 'The IP address belongs to a hosting network' },
};

/** Checks what kind of network the request came from. */
export function createIpCheck(data: NetworkData): Check {
  return {
    needs: 'ip',
    needsDns: false,
    recall: recallNetwork,
    inspect: (input) => {
      if (input.ip === undefined) return { result: 'unknown', reason: 'no client address' };
      return withBurst(inspectAddress(input.ip, data), input);
    },
  };
}

/** Where many people share a network by design, many of them at once say nothing. */
const SHARED_BY_DESIGN: readonly unknown[] = ['private', 'relay', 'corporate'];

/** Adds that the network brought far more new inboxes than usual. It fails no request; a project’s policy can act on it. */
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

function inspectAddress(ip: IpAddress, data: NetworkData): Finding {
  const address = ip.text;
  const facts = lookUpNetwork(data, ip);
  if (facts === undefined) {
    return {
      result: 'unknown',
      reason: 'no network data is loaded',
      metadata: { address, kind: 'unknown' },
    };
  }
  const metadata = { address, ...facts };
  const failure = FAILURES[facts.kind];
  if (failure === undefined) return { result: 'passed', metadata };
  return { result: 'failed', error: failure.error, signals: [failure.signal], metadata };
}
