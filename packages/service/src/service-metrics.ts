import type { CurrentData } from './feeds/current-data.ts';
import type { FeedReports } from './feeds/feed-health.ts';
import { addFeedMetrics } from './feeds/feed-metrics.ts';
import type { MailLookup } from './lookup/dns/mail-lookup.ts';
import type { Metrics } from './metrics.ts';
import type { Store } from './store/store.ts';

export function addWebhookMetrics(metrics: Metrics, store: Store, now: () => number): void {
  metrics.gauges('postern_webhook_backlog', 'Deliveries that wait.', [], async () => [
    [{}, (await store.events.deliveries.backlog()).pending],
  ]);
  metrics.gauges(
    'postern_webhook_backlog_seconds',
    'Age of the oldest delivery that waits.',
    [],
    async () => {
      const { oldestAt } = await store.events.deliveries.backlog();
      return [[{}, oldestAt === null ? 0 : (now() - oldestAt) / 1000]];
    },
  );
}

export function addDnsMetrics(metrics: Metrics, mail: MailLookup): void {
  metrics.gauge(
    'postern_dns_online',
    '0 while the resolver does not know the well-known providers.',
    () => (mail.health().status === 'offline' ? 0 : 1),
    'min',
  );
  for (const name of ['hits', 'misses', 'failures', 'queries', 'waiting', 'cachedRoutes'] as const) {
    const metric = name === 'cachedRoutes' ? 'postern_dns_cached_routes' : `postern_dns_${name}`;
    metrics.gauge(metric, `Mail look-ups: ${name}.`, () => mail.stats()[name]);
  }
}

/** The age of the data in use. */
export function addDataMetrics(
  metrics: Metrics,
  data: CurrentData,
  readFeeds: () => Promise<FeedReports>,
): void {
  metrics.gauges(
    'postern_data_info',
    'The data in use: 1 for each list’s version and where it came from.',
    ['list', 'version', 'origin'],
    () => {
      const { domains, networks } = data.origins();
      return [
        [{ list: 'domains', version: data.domainList().version, origin: domains }, 1],
        [{ list: 'networks', version: data.ipRanges().version, origin: networks }, 1],
      ];
    },
  );
  addFeedMetrics(metrics, readFeeds);
}
