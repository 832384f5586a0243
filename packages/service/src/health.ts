import type { Config } from './config.ts';
import type { CurrentData } from './feeds/current-data.ts';
import { type FeedReport, type FeedReports, readFeedReports } from './feeds/feed-health.ts';
import { healthReport, type PartHealth, type ReadHealth } from './http/routes/health.ts';
import type { MailLookup } from './lookup/dns/mail-lookup.ts';
import type { Settlement, Store } from './store/store.ts';

export interface HealthParts {
  readonly config: Pick<Config, 'feeds' | 'dataDir'>;
  readonly store: WatchedStore;
  readonly mail: Pick<MailLookup, 'health'>;
  readonly data: CurrentData;
  readonly now: () => number;
  /** Whether a `CF-Connecting-IP` was believed that did not come from the edge. */
  readonly edgeForged?: () => boolean;
  /** Gets the reason when the store begins to fail: it may name files, which strangers must not see. */
  readonly onStoreFault?: (reason: string) => void;
}

/** How each part is, in words that tell an operator what to do. */
export function createHealth(parts: HealthParts): ReadHealth {
  const { config, store, mail, data, now, edgeForged, onStoreFault } = parts;
  let lastReason: string | undefined;
  const storeHealth = async (): Promise<PartHealth> => {
    const reason = await storeFault(store);
    if (reason !== undefined && reason !== lastReason) onStoreFault?.(reason);
    lastReason = reason;
    return reason === undefined ? { status: 'ok' } : { status: 'down', message: STORE_DOWN };
  };
  return async () => {
    const origins = data.origins();
    const feeds = await feedHealth(config, now());
    return healthReport({
      store: await storeHealth(),
      dns: dnsHealth(mail),
      ...(edgeForged?.() && { clientAddress: { status: 'degraded' as const, message: FORGED_EDGE } }),
      domains: { status: 'ok', version: data.domainList().version, origin: origins.domains },
      networks: { status: 'ok', version: data.ipRanges().version, origin: origins.networks },
      ...(feeds !== undefined && { feeds }),
    });
  };
}

/** Data that is not refreshed still answers, a little less well every day. */
async function feedHealth(
  config: Pick<Config, 'feeds' | 'dataDir'>,
  now: number,
): Promise<PartHealth | undefined> {
  const reports = await readFeedReports(config.feeds, config.dataDir, now);
  if (config.feeds === 'off' && reports.sources.length === 0) return undefined;
  const faults = feedFaults(reports, config.feeds !== 'off');
  const gone = reports.sources.filter((source) => source.gone).map(({ name }) => name);
  const warning =
    gone.length === 0
      ? []
      : [
          `No longer published at its address, and used as it was: ${gone.join(', ')}. An update of Postern or an own file of sources replaces it.`,
        ];
  const { sources, lists } = reports;
  const message = [...faults, ...warning].join(' ');
  return {
    status: faults.length === 0 ? 'ok' : 'degraded',
    ...(message !== '' && { message }),
    sources,
    lists,
  };
}

function feedFaults({ sources, lists, run }: FeedReports, refreshed: boolean): string[] {
  const faults: string[] = [];
  for (const { list, failure } of lists) {
    if (failure === null) continue;
    const since = new Date(failure.since).toISOString();
    faults.push(`Compiling ${list} has failed since ${since}: ${sentence(failure.message)}`);
  }
  if (run !== null)
    faults.push(`Refreshing has failed since ${new Date(run.since).toISOString()}: ${sentence(run.message)}`);
  // An operator who switched refreshing off brings data by hand, however old.
  const stale = sources.filter((source) => source.stale && !excused(source, sources)).map(({ name }) => name);
  if (refreshed && stale.length > 0) faults.push(`Not refreshed lately: ${stale.join(', ')}.`);
  if (faults.length > 0)
    faults.push(
      'The last good data stays in use. See postern feeds status; set POSTERN_FEEDS=off where there is no internet, and bring data with postern feeds import.',
    );
  return faults;
}

/** One optional source that disappeared is no fault while others of its list are fresh. */
function excused({ gone, list }: FeedReport, all: readonly FeedReport[]): boolean {
  return gone && all.some((other) => other.list === list && !other.stale);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The store as requests use it, with a memory of the last time that it could not write. */
export interface WatchedStore extends Pick<Store, 'settle' | 'refund' | 'ping'> {
  /** Why the last settle failed; `undefined` once one succeeded again, or none was tried for a while. */
  readonly trouble: () => string | undefined;
}

/** A load balancer that sends requests only to ready instances must get to try again. */
const TROUBLE_COUNTS_MS = 5_000;

/** A store can answer a ping and still not write: on a full disk, say. */
export function watchStore(
  store: Pick<Store, 'settle' | 'refund' | 'ping'>,
  stopwatch: () => number = () => performance.now(),
): WatchedStore {
  let trouble: string | undefined;
  let troubledAt = 0;
  const fine = (settlement: Settlement) => {
    trouble = undefined;
    return settlement;
  };
  const troubled = (error: unknown) => {
    trouble = error instanceof Error ? error.message : 'The store does not answer';
    troubledAt = stopwatch();
    throw error;
  };
  return {
    settle: (submission, timeoutMs) => store.settle(submission, timeoutMs).then(fine, troubled),
    refund: (projectId, month) => store.refund(projectId, month),
    ping: () => store.ping(),
    trouble: () => (stopwatch() - troubledAt < TROUBLE_COUNTS_MS ? trouble : undefined),
  };
}

export const FORGED_EDGE =
  'CF-Connecting-IP arrives from somewhere that is not Cloudflare, so clients can choose the address they are judged by. Make the proxy in front remove that header, or set POSTERN_CLIENT_IP_HEADER to the one it sets itself.';

const STORE_DOWN =
  'The store cannot be read or written, so validations answer 503. The service’s log has the reason.';

/** Why the store cannot be used, or `undefined`. */
async function storeFault(store: WatchedStore): Promise<string | undefined> {
  try {
    await store.ping();
  } catch (error) {
    return error instanceof Error ? error.message : 'The store does not answer';
  }
  return store.trouble();
}

function dnsHealth(mail: Pick<MailLookup, 'health'>): PartHealth {
  const { status, ...facts } = mail.health();
  // Without canaries, as the operator wished, the resolver is taken at its word.
  if (status === 'ok' || status === 'unchecked') return { status: 'ok', ...facts };
  const message =
    status === 'offline'
      ? 'The resolver does not know well-known mail domains, so it is not the internet’s. Mail checks answer "unknown" and pass. Set POSTERN_DNS_SERVERS to a working resolver, or POSTERN_DNS_CANARIES to domains that yours knows.'
      : 'The resolver has not answered yet.';
  return { status: 'degraded', message, ...facts };
}
