import { Worker } from 'node:worker_threads';
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
