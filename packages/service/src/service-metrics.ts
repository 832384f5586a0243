import { DAY_MS } from '@postern/contract';
import type { CurrentData } from './feeds/current-data.ts';
import { ageOfData } from './feeds/data-age.ts';
import type { FeedReport, FeedReports, ListReport } from './feeds/feed-health.ts';
import type { MailLookup } from './lookup/dns/mail-lookup.ts';
import type { MetricName } from './metrics/metric-table.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { VerdictKeys } from './record/verdict-keys.ts';
import type { AdministeredStore, StoreFacts } from './store/administered-store.ts';
import { VERSION } from './version.ts';
import type { WatchedStore } from './watch-store.ts';

export interface MeasuredParts {
  readonly store: AdministeredStore;
  readonly watched: WatchedStore;
  readonly mail: MailLookup;
  readonly data: CurrentData;
  readonly verdictKeys: VerdictKeys;
  readonly inFlight: { readonly count: number };
  readonly readFeeds: () => Promise<FeedReports>;
  readonly streamsAudit: boolean;
  readonly now: () => number;
}

/** What is read from the parts of the service on each scrape. */
export function addServiceMetrics(metrics: Metrics, parts: MeasuredParts): void {
  metrics.readAll('postern_build_info', () => [[{ version: VERSION, node: process.version }, 1]]);
  metrics.read('postern_workers', () => 1);
  metrics.read('postern_validations_in_flight', () => parts.inFlight.count);
  metrics.read('postern_verdict_keys', () => parts.verdictKeys.signer().keySet(parts.now()).keys.length);
  addStoreMetrics(metrics, parts);
  addWebhookMetrics(metrics, parts);
  addAuditMetrics(metrics, parts);
  addDnsMetrics(metrics, parts.mail);
  addDataMetrics(metrics, parts);
  addFeedMetrics(metrics, parts.readFeeds);
}

/** Size and rows change slowly, and finding them out costs the store some work. */
const FACTS_KEPT_MS = 30_000;

function addStoreMetrics(metrics: Metrics, { store, watched }: MeasuredParts): void {
  metrics.read('postern_store_up', () => (watched.isUp() ? 1 : 0));
  metrics.read('postern_store_pending', () => watched.pending());
  metrics.readAll('postern_store_connections', () => {
    const connections = store.connections();
    return Object.entries(connections ?? {}).map(([state, count]) => [{ state }, count] as const);
  });
  let facts: Promise<StoreFacts> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const readFacts = (): Promise<StoreFacts> => {
    if (facts === undefined || performance.now() - readAt > FACTS_KEPT_MS) {
      readAt = performance.now();
      facts = store.describe('size');
      facts.catch(() => {
        facts = undefined;
      });
    }
    return facts;
  };
  metrics.readAll('postern_store_bytes', async () => [[{}, (await readFacts()).sizeBytes]]);
  metrics.readAll('postern_store_unused_bytes', async () => {
    const { unusedBytes } = await readFacts();
    return unusedBytes === null ? [] : [[{}, unusedBytes]];
  });
}

function addWebhookMetrics(metrics: Metrics, { store, now }: MeasuredParts): void {
  const { deliveries } = store.events;
  metrics.readAll('postern_webhook_backlog', async () => [[{}, (await deliveries.backlog()).pending]]);
  metrics.readAll('postern_webhook_backlog_seconds', async () => {
    const { oldestAt } = await deliveries.backlog();
    return [[{}, oldestAt === null ? 0 : (now() - oldestAt) / 1000]];
  });
}

function addAuditMetrics(metrics: Metrics, { store, streamsAudit, now }: MeasuredParts): void {
  metrics.readAll('postern_audit_backlog', async () =>
    streamsAudit ? [[{}, (await store.audit.backlog()).waiting]] : [],
  );
  metrics.readAll('postern_audit_backlog_seconds', async () => {
    if (!streamsAudit) return [];
    const { oldestAt } = await store.audit.backlog();
    return [[{}, oldestAt === null ? 0 : (now() - oldestAt) / 1000]];
  });
}

function addDnsMetrics(metrics: Metrics, mail: MailLookup): void {
  metrics.read('postern_dns_online', () => (mail.health().status === 'offline' ? 0 : 1));
  metrics.read('postern_dns_hits_total', () => mail.stats().hits);
  metrics.read('postern_dns_misses_total', () => mail.stats().misses);
  metrics.read('postern_dns_failures_total', () => mail.stats().failures);
  metrics.read('postern_dns_queries_total', () => mail.stats().queries);
  metrics.read('postern_dns_waiting', () => mail.stats().waiting);
  metrics.read('postern_dns_cached_routes', () => mail.stats().cachedRoutes);
}

function addDataMetrics(metrics: Metrics, { data, now }: MeasuredParts): void {
  metrics.readAll('postern_data_age_seconds', () =>
    (['domains', 'networks'] as const).flatMap((list) => {
      const age = ageOfData(list, data, now());
      return age === undefined ? [] : [[{ list }, (age.days * DAY_MS) / 1000] as const];
    }),
  );
  metrics.readAll('postern_data_info', () => {
    const { domains, networks } = data.origins();
    return [
      [{ list: 'domains', version: data.domainList().version, origin: domains }, 1],
      [{ list: 'networks', version: data.ipRanges().version, origin: networks }, 1],
    ];
  });
}

/** How old the data of each source is, and what went wrong. */
function addFeedMetrics(metrics: Metrics, readFeeds: () => Promise<FeedReports>): void {
  const ofSources = (name: MetricName, read: (report: FeedReport) => number | null) =>
    metrics.readAll(name, async () =>
      (await readFeeds()).sources.flatMap((report) => {
        const value = read(report);
        return value === null ? [] : [[{ source: report.name }, value] as const];
      }),
    );
  const ofLists = (name: MetricName, read: (report: ListReport) => number | null) =>
    metrics.readAll(name, async () =>
      (await readFeeds()).lists.flatMap((report) => {
        const value = read(report);
        return value === null ? [] : [[{ list: report.list }, value] as const];
      }),
    );

  ofSources('postern_feed_fetched_timestamp_seconds', ({ fetchedAt }) => (fetchedAt ?? 0) / 1000);
  ofSources('postern_feed_age_seconds', ({ fetchedAt }) =>
    fetchedAt === null ? null : Math.max(0, (Date.now() - fetchedAt) / 1000),
  );
  ofSources('postern_feed_entries', ({ entries }) => entries);
  ofSources('postern_feed_failures', ({ failures }) => failures);
  ofLists('postern_feed_compile_seconds', ({ durationMs }) =>
    durationMs === null ? null : durationMs / 1000,
  );
  ofLists('postern_feed_compile_memory_bytes', ({ peakMemoryBytes }) => peakMemoryBytes);
  ofLists('postern_feed_compile_failures', ({ failure }) => failure?.times ?? 0);
}
