import { type DeviceHistory, type DeviceTerms, judgeDevice } from '../model/history.ts';

/** What a store knows about a device before a request. */
export interface DeviceMemory {
  readonly inboxes: number;
  /** How many of the inboxes were always answered with `block`. */
  readonly blocked: number;
  readonly networks: number;
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
  /** Whether the request’s own inbox is among them. */
  readonly ownInbox: 'new' | 'blocked' | 'signed-up';
  readonly knowsNetwork: boolean;
}

/** PostgreSQL’s function `postern_keep_wave_1` computes the same in SQL; the contract suite holds both to it. */
export function deviceHistory(
  memory: DeviceMemory,
  request: DeviceTerms & { readonly network: string | null; readonly mistyped: number },
): DeviceHistory {
  const previousSignups = memory.inboxes - memory.blocked;
  const otherAddresses = previousSignups - (memory.ownInbox === 'signed-up' ? 1 : 0);
  const networks = memory.networks + (request.network === null || memory.knowsNetwork ? 0 : 1);
  const isElsewhere = networks > memory.networks && memory.networks > 0;
  const others = Math.max(0, otherAddresses - request.mistyped);
  const people = isElsewhere ? Math.min(others, memory.networks) : others;
  const { overThreshold, common } = judgeDevice({ people, networks }, request);
  return {
    previousSignups,
    otherAddresses,
    people,
    blockedAttempts: memory.blocked,
    networks,
    overThreshold,
    common,
    firstSeen: memory.firstSeen,
    lastSeen: memory.lastSeen,
  };
}
