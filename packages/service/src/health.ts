import type { ComponentHealth } from '@postern/contract/dashboard';
import type { Config } from './config.ts';
import type { CurrentData } from './feeds/current-data.ts';
import { ageOfData, lossAtAge } from './feeds/data-age.ts';
import { type FeedReport, type FeedReports, readFeedReports } from './feeds/feed-health.ts';
import { healthReport, type ReadHealth } from './http/routes/health-probes.ts';
import type { MailLookup } from './lookup/dns/mail-lookup.ts';
import { type ClockStore, explainDoubt } from './store/clock.ts';
import { type Store, StoreUnavailable } from './store/store.ts';
import type { ResourceWatch } from './watch-resources.ts';
import type { WatchedStore } from './watch-store.ts';

export interface HealthParts {
  readonly config: Pick<Config, 'feeds' | 'dataDir' | 'auditStream'>;
  readonly store: WatchedStore;
  readonly mail: Pick<MailLookup, 'health'>;
  readonly data: CurrentData;
  /** Absent where the store is not open. */
  readonly audit?: Pick<Store['audit'], 'backlog'>;
  /** Absent where another part reports it, as in `postern doctor`. */
  readonly clock?: Pick<ClockStore, 'doubt'>;
  /** Absent where nothing is served, as in `postern doctor`. */
  readonly resources?: Pick<ResourceWatch, 'health'>;
  readonly now: () => number;
}

/** The state of each part, with messages that tell the operator what to do. */
export function createHealth(parts: HealthParts): ReadHealth {
  const { config, store, mail, data, clock, audit, resources, now } = parts;
  return async () => {
    const feeds = await feedHealth(config, now());
    // Without the store, which has a part of its own, nothing is known about the clock.
    const doubt = await clock?.doubt(now()).catch(() => undefined);
    return healthReport({
      store: await storeHealth(store),
      ...(doubt && { clock: { status: 'degraded' as const, message: explainDoubt(doubt) } }),
      ...(audit && config.auditStream !== undefined && { audit: await streamHealth(audit, now()) }),
      dns: dnsHealth(mail),
      ...(resources !== undefined && { resources: resources.health() }),
      domains: dataHealth('domains', data, config.feeds, now()),
      networks: dataHealth('networks', data, config.feeds, now()),
      ...(feeds !== undefined && { feeds }),
    });
  };
}

/** Old data still works, but finds less. */
function dataHealth(
  list: 'domains' | 'networks',
  data: CurrentData,
  feeds: Config['feeds'],
  now: number,
): ComponentHealth {
  const { version } = list === 'domains' ? data.domainList() : data.ipRanges();
  const age = ageOfData(list, data, now);
  const facts = { version, origin: data.origins()[list], ...(age && { ageDays: age.days }) };
  if (age?.old !== true) return { status: 'ok', ...facts };
  const loss = list === 'domains' ? lossAtAge(age.days) : undefined;
  const message = [
    `The ${list === 'domains' ? 'domain lists are' : 'network data is'} from ${age.day}, ${age.days} days ago.`,
    loss &&
      `Of the throwaway domains in use on a day, data that is ${loss.days} days old finds ${Math.round(100 * loss.share)}%; newer data finds more.`,
    feeds === 'off'
      ? 'Set POSTERN_FEEDS=on, or bring newer data with postern feeds import.'
      : 'The feeds are on and will replace it; if it stays old, postern feeds status says why.',
  ];
  return { status: 'degraded', message: message.filter(Boolean).join(' '), ...facts };
}

/** Old data still works, but gets a little worse every day. */
async function feedHealth(
  config: Pick<Config, 'feeds' | 'dataDir'>,
  now: number,
): Promise<ComponentHealth | undefined> {
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
  // If refreshing is off, the operator updates the data by hand, and only the age of the whole data counts.
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

/** What is wrong with the store and what to do. The message has no address, password or SQL. */
async function storeHealth(store: WatchedStore): Promise<ComponentHealth> {
  const reason = await store.ping().then(
    () => store.trouble(),
    (error: unknown) => error,
  );
  if (reason === undefined) return { status: 'ok' };
  const { code, message } =
    reason instanceof StoreUnavailable
      ? reason
      : { code: 'unknown', message: 'The store does not answer as it should. The log has the reason.' };
  return { status: 'down', message: sentence(message), code, effect: 'validations answer 503' };
}

/** Entries usually leave within seconds. */
const STREAM_LATE_MS = 60_000;

async function streamHealth(audit: Pick<Store['audit'], 'backlog'>, now: number): Promise<ComponentHealth> {
  const backlog = await audit.backlog().catch(() => undefined);
  if (backlog === undefined || backlog.oldestAt === null || now - backlog.oldestAt < STREAM_LATE_MS)
    return { status: 'ok' };
  const { waiting, oldestAt } = backlog;
  const since = new Date(oldestAt).toISOString();
  return {
    status: 'degraded',
    message: `${waiting} audit entries wait to be sent, the oldest since ${since}. Check POSTERN_AUDIT_STREAM and its receiver; the log says why it fails.`,
    waiting,
  };
}

function dnsHealth(mail: Pick<MailLookup, 'health'>): ComponentHealth {
  const { status, ...facts } = mail.health();
  // The operator switched the canaries off, so the resolver is trusted.
  if (status === 'ok' || status === 'unchecked') return { status: 'ok', ...facts };
  const message =
    status === 'offline'
      ? 'The DNS resolver cannot see the public internet: well-known mail domains do not resolve. Mail checks answer "unknown" and pass. Set POSTERN_DNS_SERVERS to a working resolver, or POSTERN_DNS_CANARIES to domains that yours knows.'
      : 'The resolver has not answered yet.';
  return { status: 'degraded', message, ...facts };
}
