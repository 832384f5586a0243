import type { MetricName } from '../metrics/metric-table.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { FeedReport, FeedReports, ListReport } from './feed-health.ts';

/** How old the data of each source is, and what went wrong. */
export function addFeedMetrics(metrics: Metrics, readFeeds: () => Promise<FeedReports>): void {
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
