import type { DnsServerAddress } from '../../model/dns-server-address.ts';

/** One server and its observed state. */
export interface DnsServer {
  readonly address: DnsServerAddress;
  /** Turned off for a server that does not support EDNS. */
  edns: boolean;
  failuresInARow: number;
  /** The server is not asked first before this time. */
  restingUntil: number;
}

export interface DnsServers {
  readonly all: readonly DnsServer[];
  /** Working servers in the operator’s order, then paused ones, the longest paused first. */
  readonly inOrder: () => readonly DnsServer[];
  readonly succeeded: (server: DnsServer) => void;
  readonly failed: (server: DnsServer) => void;
}

const FAILURES_BEFORE_REST = 2;
const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 60_000;

export function createDnsServers(
  addresses: readonly DnsServerAddress[],
  clock: () => number,
  onChange: (server: string, failing: boolean) => void,
): DnsServers {
  const all = addresses.map((address): DnsServer => {
    return { address, edns: true, failuresInARow: 0, restingUntil: 0 };
  });
  return {
    all,
    inOrder: () => {
      if (all.every((server) => server.restingUntil === 0)) return all;
      const now = clock();
      const rest = (server: DnsServer) => (server.restingUntil > now ? server.restingUntil : 0);
      return [...all].sort((one, other) => rest(one) - rest(other));
    },
    succeeded: (server) => {
      if (server.failuresInARow >= FAILURES_BEFORE_REST) onChange(server.address.text, false);
      server.failuresInARow = 0;
      server.restingUntil = 0;
    },
    failed: (server) => {
      server.failuresInARow++;
      const excess = server.failuresInARow - FAILURES_BEFORE_REST;
      if (excess < 0) return;
      server.restingUntil = clock() + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(excess, 10));
      if (excess === 0) onChange(server.address.text, true);
    },
  };
}

export function isFailing(server: DnsServer): boolean {
  return server.failuresInARow >= FAILURES_BEFORE_REST;
}
