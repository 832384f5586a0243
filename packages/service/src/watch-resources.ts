import { readFileSync } from 'node:fs';
import type { ComponentHealth } from '@postern/contract/dashboard';

/** How long a shortage is reported after it was last met. */
const REPORTED_MS = 60_000;

export interface ResourceWatch {
  /** Something could not be opened for lack of descriptors, buffers or memory. */
  readonly note: (code: string) => void;
  /** A connection was closed because too many were open. */
  readonly connectionRefused: () => void;
  readonly health: () => ComponentHealth;
}

export interface ResourceEvents {
  /** Called for the first shortage, and then at most once a minute while it lasts. */
  readonly onShortage: (code: string, times: number) => void;
  /** The same for connections that were closed at the limit. */
  readonly onConnectionsRefused: (times: number) => void;
}

/** Counts what failed because this process or machine had no room for it, and logs it once a minute at most. */
export function watchResources(now: () => number, events: ResourceEvents): ResourceWatch {
  const shortages = createTally(now, (times) => events.onShortage(code, times));
  const refusals = createTally(now, events.onConnectionsRefused);
  let code = '';
  return {
    note: (latest) => {
      code = latest;
      shortages.add();
    },
    connectionRefused: refusals.add,
    health: () => {
      const messages = [
        ...(shortages.isRecent() ? [SHORTAGE] : []),
        ...(refusals.isRecent() ? [CONNECTIONS] : []),
      ];
      if (messages.length === 0) return { status: 'ok' };
      return { status: 'degraded', message: messages.join(' '), ...(shortages.isRecent() && { code }) };
    },
  };
}

export const SHORTAGE =
  'The service runs out of file descriptors, network buffers or memory, so DNS cannot always be asked: mail checks then answer "unknown" and pass. Raise the limit (ulimit -n, LimitNOFILE) or find out who opens so many connections.';
export const CONNECTIONS =
  'New connections are closed because as many are open as the limit of file descriptors allows. Put a proxy in front, or raise the limit (ulimit -n, LimitNOFILE).';

interface Tally {
  readonly add: () => void;
  readonly isRecent: () => boolean;
}

/** Reports the first one at once, and those of each further minute together. */
function createTally(now: () => number, report: (times: number) => void): Tally {
  let lastAt = Number.NEGATIVE_INFINITY;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let times = 0;
  return {
    add: () => {
      lastAt = now();
      times += 1;
      if (lastAt - reportedAt < REPORTED_MS) return;
      reportedAt = lastAt;
      report(times);
      times = 0;
    },
    isRecent: () => now() - lastAt < REPORTED_MS,
  };
}

/** Descriptors that connections may not take: for DNS (up to three sockets a question), the database and files. */
const RESERVE = 1_024;
/** Where the limit cannot be read. */
const USUAL_LIMIT = 65_536;

/** How many connections may be open, so that the service itself can still open what it needs. */
export function maxConnections(descriptors = descriptorLimit()): number {
  return Math.max(descriptors - RESERVE, Math.floor(descriptors / 2));
}

/** The soft limit, which Node has raised to the hard one at its start. */
function descriptorLimit(): number {
  try {
    const limit = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined || limit === 'unlimited' ? USUAL_LIMIT : Number(limit);
  } catch {
    return USUAL_LIMIT;
  }
}
