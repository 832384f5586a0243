import { once } from 'node:events';
import { createSafeFetch } from '../events/safe-fetch/safe-fetch.ts';
import { readAccessSpace } from './access-space.ts';
import { modifiedAt } from './current-data.ts';
import { openFeedArchive } from './feed-archive.ts';
import { readFeedSources, readKnownSources } from './feed-source.ts';
import { createFetchFeed } from './fetch-feed.ts';
import { importFeeds } from './import-feeds.ts';
import type { FeedProgress } from './keep-feed.ts';
import { type RefreshResult, refreshFeeds } from './refresh-feeds.ts';
import type { RefreshJob, RefreshMessage } from './refresh-job.ts';

/**
 * Fetching, reading and compiling happen in this process: requests never wait for them, its memory is bounded and given
 * back when it ends, and a crash does not affect the service.
 */
const [job] = (await once(process, 'message')) as [RefreshJob];
// The parent process is gone, so nothing limits the memory any more.
process.on('disconnect', () => process.exit(1));

const onProgress = (progress: FeedProgress) => process.send?.({ progress } satisfies RefreshMessage);
try {
  tellAndExit({ result: await run(job) }, 0);
} catch (error) {
  tellAndExit({ fault: error instanceof Error ? error.message : String(error) }, 1);
}

/** Exiting before the message is sent would lose it. */
function tellAndExit(message: RefreshMessage, exitCode: number): void {
  process.send?.(message, undefined, undefined, () => process.exit(exitCode));
}

async function run({ setting, folder, force, only, acceptSize = false, bundle, proxy }: RefreshJob) {
  const bundledNetworks = new URL('../data/networks.bin', import.meta.url);
  const accessSpace = readAccessSpace(bundledNetworks);
  accessSpace.catch(() => {});
  const options = {
    sources: await readKnownSources(setting),
    bundledAt: (await modifiedAt(new URL('../data/domains.bin', import.meta.url))) ?? 0,
    archive: openFeedArchive(folder, Date.now, (message) => onProgress({ step: 'damaged', message })),
    now: Date.now,
    accessSpace: () => accessSpace,
    onProgress,
    force,
  };
  if (bundle !== undefined) return importFeeds({ ...options, bundle });
  return refresh(options, { setting, only, acceptSize, proxy });
}

async function refresh(
  options: Omit<Parameters<typeof importFeeds>[0], 'bundle'>,
  {
    setting,
    only,
    acceptSize,
    proxy,
  }: Required<Pick<RefreshJob, 'setting' | 'only' | 'acceptSize' | 'proxy'>>,
): Promise<RefreshResult | 'busy'> {
  const refreshed = (await readFeedSources(setting)).map(({ name }) => name);
  if (only !== undefined && !refreshed.includes(only)) throw new Error(`There is no source called ${only}`);
  return refreshFeeds({
    ...options,
    only: only === undefined ? refreshed : [only],
    // Sources are the operator’s choice, so the proxy may resolve their names.
    fetch: createFetchFeed(createSafeFetch({ proxy: proxy && { ...proxy, resolves: true } })),
    // Sources from an operator’s own file can be mirrors inside the operator’s network.
    allowPrivate: setting !== 'on',
    acceptSize,
  });
}
