import { StoreUnavailable } from '../store.ts';
import type { CallName, WorkerCalls } from './worker-call.ts';
import type { WorkerThread } from './worker-thread.ts';

export interface RestartingWorker {
  /** Starts the thread if it does not run. */
  open(): Promise<void>;
  call<Name extends CallName>(
    name: Name,
    ask: WorkerCalls[Name]['ask'],
  ): Promise<WorkerCalls[Name]['answer']>;
  close(): Promise<void>;
}

/**
 * A thread that is started when it is first needed and again when it failed: what it was asked then is refused,
 * for nobody knows whether it was done, and what is asked next is answered.
 */
export function createRestartingWorker(start: () => Promise<WorkerThread>): RestartingWorker {
  let current: WorkerThread | undefined;
  let starting: Promise<WorkerThread> | undefined;
  let closed = false;

  const running = (): Promise<WorkerThread> => {
    if (closed) return Promise.reject(new StoreUnavailable('The store is closed'));
    starting ??= start()
      .then((thread) => {
        current = thread;
        return thread;
      })
      .finally(() => {
        starting = undefined;
      });
    return starting;
  };

  return {
    async open() {
      if (current === undefined || current.ended()) await running();
    },
    call(name, ask) {
      if (current !== undefined && !current.ended()) return current.call(name, ask);
      return running().then((thread) => thread.call(name, ask));
    },
    async close() {
      closed = true;
      await starting?.catch(() => {});
      await current?.close();
    },
  };
}
