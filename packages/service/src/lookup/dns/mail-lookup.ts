import { randomBytes, randomInt } from 'node:crypto';
import { getServers } from 'node:dns';
import { setMaxListeners } from 'node:events';
import { type DnsServerAddress, parseDnsServerAddress } from '../../model/dns-server-address.ts';
import { type MailRoute, NOT_ASKED } from '../../model/mail-route.ts';
import { type CanaryWatch, createCanaryWatch, type ResolverStatus } from './canary-watch.ts';
import type { DnsFailure } from './dns-answer.ts';
import { type Asker, createDnsClient } from './dns-client.ts';
import { createDnsServers, isFailing } from './dns-servers.ts';
import { NO_DOMAIN, resolveMailRoute } from './resolve-mail-route.ts';
import { createRouteMemory } from './route-memory.ts';
import { createZoneLookup, type ZoneLookup } from './zone-lookup.ts';

export type DnsEvent =
  /** The canaries are not found: every look-up is `unknown` from now on. */
  | {
      readonly type: 'resolver-offline';
      readonly canaries: readonly string[];
      readonly servers: readonly string[];
    }
  | { readonly type: 'resolver-online' }
  | { readonly type: 'server-failing' | 'server-recovered'; readonly server: string }
  | { readonly type: 'lookup-failed'; readonly reason: DnsFailure }
  /** A query could not be sent: our own machine has no descriptor, buffer or memory for it. */
  | { readonly type: 'no-resources'; readonly code: string };

export interface MailLookupOptions {
  /** `host`, `host:port`, `[IPv6]:port`; absent or empty: the system’s resolvers. */
  readonly servers?: readonly string[] | undefined;
  /** Domains that must be found before the resolver is trusted. `off`: it is always trusted. */
  readonly canaries?: readonly string[] | 'off' | undefined;
  /** The time budget of a whole look-up. */
  readonly budgetMs?: number | undefined;
  readonly maxInFlight?: number | undefined;
  readonly maxWaiting?: number | undefined;
  readonly maxCached?: number | undefined;
  readonly canaryRetryMs?: readonly [first: number, last: number] | undefined;
  readonly clock?: (() => number) | undefined;
  readonly onEvent?: ((event: DnsEvent) => void) | undefined;
}

interface DnsHealth {
  readonly status: ResolverStatus;
  /** When the status last changed, in milliseconds since 1970. */
  readonly since: number;
  readonly lastCheckedAt: number | null;
  readonly canaries: readonly string[];
  readonly servers: readonly { readonly address: string; readonly failing: boolean }[];
}

interface DnsStats {
  /** Look-ups answered from the cache, started, and joined to one in progress. */
  readonly hits: number;
  readonly misses: number;
  readonly joined: number;
  /** Look-ups that ended without an answer. */
  readonly failures: number;
  /** Queries sent to the servers, retries included. */
  readonly queries: number;
  /** Queued questions. */
  readonly waiting: number;
  readonly cachedRoutes: number;
}

/** Calls the listener once the client has gone. Returns a function that stops listening. */
export type OnGone = (listener: () => void) => () => void;

/** A look-up in progress. */
interface Lookup {
  readonly route: Promise<MailRoute>;
  /** Requests whose clients still wait. */
  clients: number;
  /** Drops the questions that are still queued. */
  readonly abandon: () => void;
}

export interface MailLookup {
  /**
   * How mail gets to a domain (lower case, A-labels). Synchronous if it is cached. Never rejects. Projects share the
   * resolver fairly. Without a project the question is the service’s own. When the clients of all requests for a domain
   * have gone, its questions leave the queue; without `onGone` a caller always waits.
   */
  readonly route: (domain: string, projectId?: string, onGone?: OnGone) => MailRoute | Promise<MailRoute>;
  /** For learning in the background. No request waits for it. */
  readonly zone: ZoneLookup;
  readonly health: () => DnsHealth;
  readonly stats: () => DnsStats;
  /** Resolves after the first canary check. */
  readonly start: () => Promise<void>;
  readonly close: () => void;
}

const DEFAULT_CANARIES: readonly string[] = ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com'];
const DEFAULT_BUDGET_MS = 1_500;

const OFFLINE: MailRoute = Object.freeze({ status: 'unknown', reason: 'resolver-offline' });
const TIMED_OUT: MailRoute = Object.freeze({ status: 'unknown', reason: 'timeout' });
/** The budget of background queries. A late answer is still useful there. */
const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);

/** Special-use names that are never looked up: RFC 6761 (localhost, invalid), RFC 7686 (onion), RFC 9476 (alt). */
const NEVER_IN_DNS = /(?:^|\.)(?:localhost|invalid|onion|alt)$/;

/** Milliseconds since 1970 by a monotonic clock, so that a clock change does not keep cache entries too long. */
const steadyTime = () => Math.floor(performance.timeOrigin + performance.now());

export function createMailLookup(options: MailLookupOptions = {}): MailLookup {
  const clock = options.clock ?? steadyTime;
  const budgetMs = options.budgetMs ?? DEFAULT_BUDGET_MS;
  const canaries = options.canaries === 'off' ? [] : (options.canaries ?? DEFAULT_CANARIES);
  const onEvent = options.onEvent ?? (() => {});
  const servers = createDnsServers(serverAddresses(options.servers), clock, (server, failing) =>
    onEvent({ type: failing ? 'server-failing' : 'server-recovered', server }),
  );
  const client = createDnsClient({
    servers,
    retryAfterMs: Math.ceil(budgetMs / 3),
    deadlineMs: budgetMs,
    maxInFlight: options.maxInFlight ?? 256,
    maxWaiting: options.maxWaiting ?? 2_048,
    randomId: () => randomInt(65_536),
    onShortage: (code) => onEvent({ type: 'no-resources', code }),
  });
  const memory = createRouteMemory(clock, options.maxCached ?? 20_000);
  /** Look-ups in progress, by project and domain. One project’s look-up must not wait in another project’s queue. */
  const lookups = new Map<string, Lookup>();
  const counts = { hits: 0, misses: 0, joined: 0, failures: 0 };

  const watch = createCanaryWatch({
    canaries,
    ask: client.askUnqueued,
    // An operator’s own canary can be any name. A well-known provider without mail hosts means a sign-in page.
    addressSuffices: options.canaries !== undefined,
    clock,
    retryMs: options.canaryRetryMs ?? [1_000, 10_000],
    onChange: (status) => {
      // Answers of a resolver that turned out to have no internet access are worthless.
      if (status === 'offline') memory.clear();
      onEvent(
        status === 'offline'
          ? { type: 'resolver-offline', canaries, servers: servers.all.map((server) => server.address.text) }
          : { type: 'resolver-online' },
      );
    },
  });

  /** A query that has been sent continues beyond the budget, so that the next request finds the answer in the cache. */
  async function lookUp(domain: string, asker: Asker): Promise<MailRoute> {
    if (watch.status() === 'starting') await watch.start();
    if (watch.status() === 'offline') return OFFLINE;
    const resolved = await resolveMailRoute(domain, {
      ask: (name, type) => client.ask(name, type, asker),
      host: memory.host,
      abandoned: () => asker.signal.aborted,
    });
    if (!(await believe(resolved.route, watch))) return OFFLINE;
    memory.remember(domain, resolved);
    return resolved.route;
  }

  function end(key: string, lookup: Lookup, route: MailRoute): MailRoute {
    if (lookups.get(key) === lookup) lookups.delete(key);
    if (route.status === 'unknown' && route.reason !== 'resolver-offline' && lookup.clients > 0) {
      counts.failures++;
      // Asking for the canaries would fail in the same way.
      if (route.reason !== 'no-resources') watch.sawFailure();
      onEvent({ type: 'lookup-failed', reason: route.reason });
    }
    return route;
  }

  /** A domain without an answer, while others have one, is told apart from a resolver in trouble. */
  function markAlone(domain: string, route: MailRoute): MailRoute {
    const failed =
      route.status === 'unknown' && (route.reason === 'timeout' || route.reason === 'server-failure');
    if (!failed || !watch.hasProof()) return route;
    const alone: MailRoute = Object.freeze({ ...route, alone: true });
    memory.remember(domain, { route: alone, ttlSeconds: 0 });
    return alone;
  }

  function begin(domain: string, project: string, key: string): Lookup {
    counts.misses++;
    const waiting = new AbortController();
    const gone = new AbortController();
    let dropped = false;
    const onDropped = () => {
      dropped = true;
    };
    const onLate = () => {
      waiting.abort();
      // A query that was never sent says nothing about the domain, so nothing is cached for other projects.
      if (!dropped) memory.remember(domain, { route: TIMED_OUT, ttlSeconds: 0 });
    };
    const slow = setTimeout(watch.prove, budgetMs / 2).unref();
    const work = lookUp(domain, { project, signal: waiting.signal, gone: gone.signal, onDropped });
    const lookup: Lookup = {
      route: withinBudget(work, budgetMs, onLate).then((route) => {
        clearTimeout(slow);
        return end(key, lookup, dropped ? route : markAlone(domain, route));
      }),
      clients: 0,
      abandon: () => {
        // A request that comes now wants its own questions.
        if (lookups.get(key) === lookup) lookups.delete(key);
        gone.abort();
      },
    };
    lookups.set(key, lookup);
    return lookup;
  }

  function wait(lookup: Lookup, onGone: OnGone | undefined): Promise<MailRoute> {
    if (onGone === undefined) {
      lookup.clients = Number.POSITIVE_INFINITY;
      return lookup.route;
    }
    lookup.clients++;
    const stopListening = onGone(() => {
      lookup.clients--;
      if (lookup.clients === 0) lookup.abandon();
    });
    void lookup.route.then(stopListening);
    return lookup.route;
  }

  return {
    route: (domain, projectId = '', onGone) => {
      if (watch.status() === 'offline') return OFFLINE;
      const cached = memory.recall(domain);
      if (cached !== undefined) {
        counts.hits++;
        return cached;
      }
      if (domain.startsWith('[')) return NOT_ASKED;
      if (NEVER_IN_DNS.test(domain)) return NO_DOMAIN;
      const key = `${projectId} ${domain}`;
      const underWay = lookups.get(key);
      if (underWay !== undefined) counts.joined++;
      return wait(underWay ?? begin(domain, projectId, key), onGone);
    },
    zone: createZoneLookup({
      ask: (name, type) => client.ask(name, type, { project: '', signal: NEVER }),
      online: () => watch.status() === 'ok' || watch.status() === 'unchecked',
      clock,
      madeUpLabel: () => `x${randomBytes(8).toString('hex')}`,
    }),
    health: () => ({
      status: watch.status(),
      since: watch.since(),
      lastCheckedAt: watch.lastCheckedAt(),
      canaries,
      servers: servers.all.map((server) => ({ address: server.address.text, failing: isFailing(server) })),
    }),
    stats: () => ({
      ...counts,
      queries: client.queriesSent(),
      waiting: client.waiting(),
      cachedRoutes: memory.size(),
    }),
    start: watch.start,
    close: () => {
      watch.close();
      client.close();
    },
  };
}

function serverAddresses(configured: readonly string[] | undefined): readonly DnsServerAddress[] {
  const texts = configured === undefined || configured.length === 0 ? getServers() : configured;
  return texts.map((text) => {
    const address = parseDnsServerAddress(text);
    if (address === undefined) throw new Error(`not the address of a DNS server: ${text}`);
    return address;
  });
}

/** Never rejects: our own fault must not refuse a user. */
function withinBudget(work: Promise<MailRoute>, budgetMs: number, onLate: () => void): Promise<MailRoute> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      onLate();
      resolve(TIMED_OUT);
    }, budgetMs);
    const settle = (route: MailRoute) => {
      clearTimeout(timer);
      resolve(route);
    };
    work.then(settle, () => settle(NOT_ASKED));
  });
}

/** Whether the resolver’s answer can be trusted. */
function believe(route: MailRoute, watch: CanaryWatch): boolean | Promise<boolean> {
  switch (route.status) {
    case 'found':
    case 'null-mx':
      // A sign-in page has an address for every name, but no mail hosts.
      if (route.status === 'null-mx' || !route.implicit) watch.sawProof();
      return watch.status() !== 'offline';
    case 'unknown':
      return watch.status() !== 'offline';
    default:
      return watch.mayBelieveNegative();
  }
}
