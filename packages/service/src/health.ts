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
  /** Whether a `CF-Connecting-IP` header was trusted that did not come from the edge. */
  readonly edgeForged?: () => boolean;
  /** Called with the reason when the store begins to fail. It can name files, so it is not public. */
  readonly onStoreFault?: (reason: string) => void;
}

/** The state of each part, with messages that tell the operator what to do. */
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

/** Old data still works, but gets a little worse every day. */
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
  // If refreshing is off, the operator updates the data by hand, so its age is not a problem.
  const stale = sources.filter((source) => source.stale && !excused(source, sources)).map(({ name }) => name);
  if (refreshed && stale.length > 0) faults.push(`Not refreshed lately: ${stale.join(', ')}.`);
  if (faults.length > 0)
    faults.push(
      'The last good data stays in use. See postern feeds status; set POSTERN_FEEDS=off where there is no internet, and bring data with postern feeds import.',
    );
  return faults;
}

/** A missing optional source is not a problem while other sources of its list are fresh. */
function excused({ gone, list }: FeedReport, all: readonly FeedReport[]): boolean {
  return gone && all.some((other) => other.list === list && !other.stale);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Wraps the store and remembers the last time that it could not write. */
export interface WatchedStore extends Pick<Store, 'settle' | 'refund' | 'ping'> {
  /** Why the last settle failed; `undefined` after the next success, or if none was tried for a while. */
  readonly trouble: () => string | undefined;
}

/** A load balancer sends requests only to ready instances, so the failure must expire for them to be tried again. */
const TROUBLE_COUNTS_MS = 5_000;

/** A store can answer a ping and still be unable to write, for example on a full disk. */
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
  // The operator switched the canaries off, so the resolver is trusted.
  if (status === 'ok' || status === 'unchecked') return { status: 'ok', ...facts };
  const message =
    status === 'offline'
      ? 'The resolver does not know well-known mail domains, so it is not the internet’s. Mail checks answer "unknown" and pass. Set POSTERN_DNS_SERVERS to a working resolver, or POSTERN_DNS_CANARIES to domains that yours knows.'
      : 'The resolver has not answered yet.';
  return { status: 'degraded', message, ...facts };
}
