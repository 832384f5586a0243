import type { Metrics } from '../metrics.ts';
import type { FeedReport, FeedReports, ListReport } from './feed-health.ts';

/** How old the data of each source is, and what went wrong. */
export function addFeedMetrics(metrics: Metrics, readFeeds: () => Promise<FeedReports>): void {
  const ofSources = (name: string, help: string, figure: (report: FeedReport) => number | null) =>
    metrics.gauges(name, help, ['source'], async () =>
      (await readFeeds()).sources.flatMap((report) => {
        const value = figure(report);
        return value === null ? [] : [[{ source: report.name }, value] as const];
      }),
    );
  const ofLists = (name: string, help: string, figure: (report: ListReport) => number | null) =>
    metrics.gauges(name, help, ['list'], async () =>
      (await readFeeds()).lists.flatMap((report) => {
        const value = figure(report);
        return value === null ? [] : [[{ list: report.list }, value] as const];
      }),
    );

  ofSources(
    'postern_feed_fetched_timestamp_seconds',
    'When each source’s data in use was last known to be its newest, in Unix seconds; 0: never.',
    ({ fetchedAt }) => (fetchedAt ?? 0) / 1000,
  );
  ofSources('postern_feed_age_seconds', 'Age of each source’s data in use.', ({ fetchedAt }) =>
    fetchedAt === null ? null : Math.max(0, (Date.now() - fetchedAt) / 1000),
  );
  ofSources('postern_feed_entries', 'Entries that are kept of each source.', ({ entries }) => entries);
  ofSources('postern_feed_failures', 'Failed tries of each source in a row.', ({ failures }) => failures);
  ofLists('postern_feed_compile_seconds', 'How long each list took to compile last.', ({ durationMs }) =>
    durationMs === null ? null : durationMs / 1000,
  );
  ofLists(
    'postern_feed_compile_memory_bytes',
    'The most memory that the process held when it had compiled each list.',
    ({ peakMemoryBytes }) => peakMemoryBytes,
  );
  ofLists(
    'postern_feed_compile_failures',
    'Failed compilations of each list in a row; above 0 the last good data is in use.',
    ({ failure }) => failure?.times ?? 0,
  );
}
