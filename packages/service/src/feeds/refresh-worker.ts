import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { modifiedAt } from './current-data.ts';
import { openFeedArchive } from './feed-archive.ts';
import { unpackFeeds } from './feed-bundle.ts';
import { readFeedSources, readKnownSources } from './feed-source.ts';
import { createFetchFeed } from './fetch-feed.ts';
import { importFeeds } from './import-feeds.ts';
import type { FeedProgress, RefreshResult } from './keep-feed.ts';
import { refreshFeeds } from './refresh-feeds.ts';

/** What the thread is started with. */
export interface RefreshJob {
  readonly setting: string;
  readonly folder: string;
  readonly force: boolean;
  readonly only: string | undefined;
  /** A file that another machine exported, to be taken in the internet’s stead. */
  readonly bundle?: string | undefined;
}

export type RefreshMessage =
  | { readonly progress: FeedProgress }
  | { readonly result: RefreshResult | 'busy' };

/** Fetching, reading and compiling happen in this thread: requests never wait for them. */
const { setting, folder, force, only, bundle } = workerData as RefreshJob;
const tell = (message: RefreshMessage) => parentPort?.postMessage(message);
const bundled = await modifiedAt(new URL('../data/domains.bin', import.meta.url));
const options = {
  sources: await readKnownSources(setting),
  bundledAt: bundled ?? 0,
  archive: openFeedArchive(folder, Date.now),
  now: Date.now,
  onProgress: (progress: FeedProgress) => tell({ progress }),
};
tell({ result: await (bundle === undefined ? refresh() : importBundle(bundle)) });

async function refresh(): Promise<RefreshResult | 'busy'> {
  const refreshed = (await readFeedSources(setting)).map(({ name }) => name);
  if (only !== undefined && !refreshed.includes(only)) throw new Error(`There is no source called ${only}`);
  return refreshFeeds({
    ...options,
    only: only === undefined ? refreshed : [only],
    fetch: createFetchFeed(),
    force,
    // Sources of an operator’s own file may be mirrors inside the operator’s network.
    allowPrivate: setting !== 'on',
  });
}

async function importBundle(file: string): Promise<RefreshResult | 'busy'> {
  return importFeeds({ ...options, feeds: await unpackFeeds(await readFile(file)) });
}
