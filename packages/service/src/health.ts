import type { Config } from './config.ts';
import type { CurrentData } from './feeds/current-data.ts';
import { readFeedReports } from './feeds/feed-health.ts';
import { healthReport, type PartHealth, type ReadHealth } from './http/routes/health.ts';
import type { MailLookup } from './lookup/dns/mail-lookup.ts';
import type { Settlement, Store } from './store/store.ts';

export interface HealthParts {
  readonly config: Pick<Config, 'feeds' | 'dataDir'>;
  readonly store: WatchedStore;
  readonly mail: Pick<MailLookup, 'health'>;
  readonly data: CurrentData;
  readonly now: () => number;
  /** Gets the reason when the store begins to fail: it may name files, which strangers must not see. */
  readonly onStoreFault?: (reason: string) => void;
}

/** How each part is, in words that tell an operator what to do. */
export function createHealth({ config, store, mail, data, now, onStoreFault }: HealthParts): ReadHealth {
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
  const sources = await readFeedReports(config.feeds, config.dataDir, now);
  // Whoever switched refreshing off brings data by hand, or knowingly none.
  if (config.feeds === 'off') return sources.length === 0 ? undefined : { status: 'ok', sources };
  const stale = sources.filter((source) => source.stale).map(({ name }) => name);
  if (stale.length === 0) return { status: 'ok', sources };
  const message = `Not refreshed lately: ${stale.join(', ')}. The last good data stays in use. See postern feeds status; set POSTERN_FEEDS=off where there is no internet, and bring data with postern feeds import.`;
  return { status: 'degraded', message, sources };
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
