import { join } from 'node:path';
import { openFeedArchive } from './feed-archive.ts';
import { readKnownSources } from './feed-source.ts';

/** One source as people look at it. */
export interface FeedReport {
  readonly name: string;
  readonly list: 'domains' | 'networks';
  readonly entries: number;
  readonly fetchedAt: number | null;
  readonly triedAt: number | null;
  readonly error: string | null;
  /** Not fetched within three of its periods. */
  readonly stale: boolean;
}

const STALE_PERIODS = 3;

export function feedsFolder(dataDir: string): string {
  return join(dataDir, 'feeds');
}

/** How fresh each source is; where none is refreshed, those that were imported. */
export async function readFeedReports(setting: string, dataDir: string, now: number): Promise<FeedReport[]> {
  const sources = await readKnownSources(setting);
  const status = await openFeedArchive(feedsFolder(dataDir), () => now).status();
  const shown = setting === 'off' ? sources.filter(({ name }) => status[name]?.fetchedAt != null) : sources;
  return shown.map(({ name, use, everyMs }) => {
    const last = status[name];
    const fetchedAt = last?.fetchedAt ?? null;
    return {
      name,
      list: use.list,
      entries: last?.entries ?? 0,
      fetchedAt,
      triedAt: last?.triedAt ?? null,
      error: last?.error ?? null,
      stale: fetchedAt === null || now - fetchedAt > STALE_PERIODS * everyMs,
    };
  });
}
