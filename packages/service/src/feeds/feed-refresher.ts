import { Worker } from 'node:worker_threads';
import { modifiedAt } from './current-data.ts';
import { openFeedArchive } from './feed-archive.ts';
import type { FeedProgress, RefreshResult } from './keep-feed.ts';
import type { RefreshJob, RefreshMessage } from './refresh-worker.ts';

/** Runs one refresh in a thread of its own. */
export function runRefresh(
  job: RefreshJob,
  onProgress?: (progress: FeedProgress) => void,
): Promise<RefreshResult | 'busy'> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./refresh-worker.js', import.meta.url), { workerData: job });
    let result: RefreshResult | 'busy' | undefined;
    worker.on('message', (message: RefreshMessage) => {
      if ('progress' in message) onProgress?.(message.progress);
      else result = message.result;
    });
    worker.on('error', reject);
    worker.on('exit', () =>
      result === undefined ? reject(new Error('The refresh ended without a result')) : resolve(result),
    );
  });
}

/**
 * Where nothing is refreshed, what was imported is compiled anew once a newer release has brought newer bundled data; else
 * the older compilation would stand in its way.
 */
export async function recompileImported(folder: string): Promise<void> {
  const bundledAt = (await modifiedAt(new URL('../data/domains.bin', import.meta.url))) ?? 0;
  const { compiledAt } = openFeedArchive(folder, Date.now);
  const moments = await Promise.all([compiledAt('domains'), compiledAt('networks')]);
  if (moments.some((moment) => moment !== undefined && moment < bundledAt))
    await runRefresh({ setting: 'off', folder, force: false, only: undefined });
}

export interface FeedSchedule {
  stop(): void;
}

const LOOK_EVERY_MS = 5 * 60 * 1000;
const FIRST_LOOK_MS = 2_000;

/** Looks now and then whether a source is due. Whatever goes wrong is told, and tried again next time. */
export function scheduleRefresh(
  job: Omit<RefreshJob, 'force' | 'only'>,
  onResult: (result: RefreshResult) => void,
  onFault: (fault: unknown) => void,
): FeedSchedule {
  let stopped = false;
  let timer: NodeJS.Timeout;
  const look = async (): Promise<void> => {
    try {
      const result = await runRefresh({ ...job, force: false, only: undefined });
      if (result !== 'busy') onResult(result);
    } catch (fault) {
      onFault(fault);
    }
    if (!stopped) timer = setTimeout(() => void look(), LOOK_EVERY_MS).unref();
  };
  timer = setTimeout(() => void look(), FIRST_LOOK_MS).unref();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
