import { join } from 'node:path';
import {
  type Failure,
  FEED_LISTS,
  type FeedList,
  type FeedStatus,
  type ListStatus,
  openFeedArchive,
} from './feed-archive.ts';
import { readKnownSources } from './feed-source.ts';

/** The state of one source, for people. Times are milliseconds since 1970. */
export interface FeedReport {
  readonly name: string;
  readonly list: FeedList;
  readonly entries: number;
  /** When the data in use was last known to be the source’s newest. */
  readonly fetchedAt: number | null;
  readonly triedAt: number | null;
  readonly error: string | null;
  /** The number of failed attempts in a row, and since when. */
  readonly failures: number;
  readonly failingSince: number | null;
  /** The data in use is older than three of the source’s periods. */
  readonly stale: boolean;
  /** Newer data was accepted and is not compiled yet. */
  readonly waiting: boolean;
  /** An optional source that no longer exists at its address. */
  readonly gone: boolean;
}

export interface ListReport {
  readonly list: FeedList;
  readonly compiledAt: number | null;
  readonly durationMs: number | null;
  readonly peakMemoryBytes: number | null;
  /** Why the list could not be compiled, and since when; the last good data stays in use. */
  readonly failure: Failure | null;
}

export interface FeedReports {
  readonly sources: readonly FeedReport[];
  readonly lists: readonly ListReport[];
  /** Why the last refresh ended early. `null` if it did not. */
  readonly run: Failure | null;
}

const STALE_PERIODS = 3;

export function feedsFolder(dataDir: string): string {
  return join(dataDir, 'feeds');
}

/** How fresh the data of each source is. If none is refreshed, of the imported ones. */
export async function readFeedReports(setting: string, dataDir: string, now: number): Promise<FeedReports> {
  const sources = await readKnownSources(setting);
  const status = openFeedArchive(feedsFolder(dataDir), () => now).status();
  const shown =
    setting === 'off' ? sources.filter(({ name }) => status.sources[name]?.contentAt != null) : sources;
  return {
    sources: shown.map(({ name, use, everyMs }) => sourceReport(name, use.list, everyMs, status, now)),
    lists: FEED_LISTS.map((list) => listReport(list, status.lists[list])),
    run: status.run,
  };
}

function sourceReport(
  name: string,
  list: FeedList,
  everyMs: number,
  status: FeedStatus,
  now: number,
): FeedReport {
  const last = status.sources[name];
  const accepted = last?.contentAt ?? null;
  const inUse = status.lists[list].contents[name] ?? null;
  const waiting = accepted !== null && accepted !== inUse;
  const fetchedAt = waiting ? inUse : (last?.confirmedAt ?? null);
  return {
    name,
    list,
    entries: last?.entries ?? 0,
    fetchedAt,
    triedAt: last?.triedAt ?? null,
    error: last?.error ?? null,
    failures: last?.failures ?? 0,
    failingSince: last?.failingSince ?? null,
    stale: fetchedAt === null || now - fetchedAt > STALE_PERIODS * everyMs,
    waiting,
    gone: last?.gone ?? false,
  };
}

function listReport(
  list: FeedList,
  { compiledAt, durationMs, peakMemoryBytes, failure }: ListStatus,
): ListReport {
  return {
    list,
    compiledAt,
    durationMs,
    peakMemoryBytes,
    failure: failure === null ? null : shortened(failure),
  };
}

function shortened({ since, at, message, times }: Failure): Failure {
  return { since, at, message, times };
}
