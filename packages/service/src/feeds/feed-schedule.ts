import { MINUTE_MS } from '@postern/contract';
import { runRefresh } from './feed-refresher.ts';
import type { RefreshResult } from './refresh-feeds.ts';
import type { RefreshJob } from './refresh-job.ts';

export interface FeedSchedule {
  stop(): void;
}

export interface ScheduleEvents {
  readonly onResult: (result: RefreshResult) => void;
  readonly onFault: (fault: unknown) => void;
  /** Called if the database of feeds was damaged. */
  readonly onDamage: (message: string) => void;
}

const LOOK_EVERY_MS = 5 * MINUTE_MS;
const FIRST_LOOK_MS = 2_000;

/** Regularly checks whether a source is due. A failed refresh is reported and retried next time. */
export function scheduleRefresh(
  job: Omit<RefreshJob, 'force' | 'only'>,
  { onResult, onFault, onDamage }: ScheduleEvents,
): FeedSchedule {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout;
  const look = async (): Promise<void> => {
    try {
      const result = await runRefresh(
        { ...job, force: false, only: undefined },
        {
          signal,
          onProgress: (progress) => {
            if (progress.step === 'damaged') onDamage(progress.message);
          },
        },
      );
      if (result !== 'busy') onResult(result);
    } catch (fault) {
      if (!signal.aborted) onFault(fault);
    }
    if (!signal.aborted) timer = setTimeout(() => void look(), LOOK_EVERY_MS).unref();
  };
  timer = setTimeout(() => void look(), FIRST_LOOK_MS).unref();
  return {
    stop: () => {
      stopping.abort();
      clearTimeout(timer);
    },
  };
}
