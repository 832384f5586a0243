import { parentPort, workerData } from 'node:worker_threads';
import { modifiedAt } from './current-data.ts';
import { openFeedArchive } from './feed-archive.ts';
import { readFeedSources } from './feed-source.ts';
import { fetchFeed } from './fetch-feed.ts';
import { type FeedProgress, type RefreshResult, refreshFeeds } from './refresh-feeds.ts';

/** What the thread is started with. */
export interface RefreshJob {
  readonly setting: string;
  readonly folder: string;
  readonly force: boolean;
  readonly only: string | undefined;
}

export type RefreshMessage =
  | { readonly progress: FeedProgress }
  | { readonly result: RefreshResult | 'busy' };

/** Fetching, reading and compiling happen in this thread: requests never wait for them. */
const { setting, folder, force, only } = workerData as RefreshJob;
const tell = (message: RefreshMessage) => parentPort?.postMessage(message);
const sources = await readFeedSources(setting);
if (only !== undefined && !sources.some(({ name }) => name === only))
  throw new Error(`There is no source called ${only}`);
const bundled = await modifiedAt(new URL('../data/domains.bin', import.meta.url));
const result = await refreshFeeds({
  sources,
  only,
  bundledAt: bundled ?? 0,
  archive: openFeedArchive(folder, Date.now),
  fetch: fetchFeed,
  now: Date.now,
  force,
  // Sources of an operator’s own file may be mirrors inside the operator’s network.
  allowPrivate: setting !== 'on',
  onProgress: (progress) => tell({ progress }),
});
tell({ result });
