import { DAY_MS, HOUR_MS } from '@postern/contract';
import type { MailRoute } from '../../model/mail-route.ts';
import { createExpiringCache } from './expiring-cache.ts';
import { type Ask, type HostAddresses, type ResolvedRoute, resolveHost } from './resolve-mail-route.ts';

export interface RouteMemory {
  readonly recall: (domain: string) => MailRoute | undefined;
  readonly remember: (domain: string, resolved: ResolvedRoute) => void;
  /** A host’s addresses, from memory or from DNS. */
  readonly host: (name: string, ask: Ask) => HostAddresses | Promise<HostAddresses>;
  readonly clear: () => void;
  readonly size: () => number;
}

/** A TTL of 0 would mean a query for every request, so that anybody could flood a domain’s servers through us. */
const MIN_TTL_MS = 1_000;
const MAX_TTL_MS = DAY_MS;
/** RFC 2308 section 5: one to three hours are long enough for negative answers. */
const MAX_NEGATIVE_TTL_MS = HOUR_MS;
/** Short, so that we soon notice when the servers answer again. RFC 2308 section 7 allows five minutes at most. */
const FAILURE_TTL_MS = 5_000;

interface CachedHost {
  readonly host: HostAddresses;
  readonly expiresAt: number;
}

/** Mail routes, cached until their TTL ends. Mail hosts have a cache of their own, because many domains share them. */
export function createRouteMemory(clock: () => number, maxCached: number): RouteMemory {
  const routes = createExpiringCache<MailRoute>(maxCached);
  const hosts = createExpiringCache<CachedHost>(maxCached);

  const askForHost = async (name: string, ask: Ask): Promise<HostAddresses> => {
    const host = await resolveHost(name, ask);
    if (isLocalFailure(host.failure)) return host;
    const ttlMs = host.failure === undefined ? clampTtlMs(host.ttlSeconds, !host.routable) : FAILURE_TTL_MS;
    const expiresAt = clock() + ttlMs;
    hosts.set(name, { host, expiresAt }, expiresAt);
    return host;
  };

  return {
    recall: (domain) => routes.get(domain, clock()),
    remember: (domain, { route, ttlSeconds }) => {
      if (route.status === 'unknown' && isLocalFailure(route.reason)) return;
      const negative = route.status !== 'found' && route.status !== 'null-mx';
      const ttlMs = route.status === 'unknown' ? FAILURE_TTL_MS : clampTtlMs(ttlSeconds, negative);
      routes.set(domain, route, clock() + ttlMs, weightOf(route));
    },
    host: (name, ask) => {
      const now = clock();
      const cached = hosts.get(name, now);
      // With the time that is left, because a route must not outlive the addresses that it uses.
      return cached === undefined
        ? askForHost(name, ask)
        : { ...cached.host, ttlSeconds: (cached.expiresAt - now) / 1_000 };
    },
    clear: () => {
      routes.clear();
      hosts.clear();
    },
    size: routes.size,
  };
}

/** Whether we failed, not the domain’s servers. Such a failure says nothing about the name, so it is not cached. */
function isLocalFailure(failure: string | undefined): boolean {
  return failure === 'not-asked' || failure === 'no-resources';
}

/** Most domains have one to five mail hosts; one with many counts as several entries. */
function weightOf(route: MailRoute): number {
  return 'hosts' in route ? Math.max(1, Math.ceil(route.hosts.length / 5)) : 1;
}

function clampTtlMs(ttlSeconds: number, negative: boolean): number {
  const longestMs = negative ? MAX_NEGATIVE_TTL_MS : MAX_TTL_MS;
  return Math.min(longestMs, Math.max(MIN_TTL_MS, ttlSeconds * 1_000));
}
