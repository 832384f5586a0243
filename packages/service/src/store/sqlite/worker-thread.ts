import { Worker } from 'node:worker_threads';
import { SchemaMismatch } from '../migration.ts';
import { StoreUnavailable } from '../store.ts';
import type {
  Answer,
  Call,
  CallName,
  Failure,
  Opening,
  WorkerCalls,
  WorkerSettings,
} from './worker-messages.ts';

export interface WorkerThread {
  call<Name extends CallName>(
    name: Name,
    ask: WorkerCalls[Name]['ask'],
  ): Promise<WorkerCalls[Name]['answer']>;
  /** Whether it was closed or has failed. */
  ended(): boolean;
  /** Lets the thread finish its calls, then stops it. */
  close(): Promise<void>;
}

interface Waiting {
  readonly id: number;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** Starts a thread and waits until it has opened the database. */
export async function startWorkerThread(url: URL, settings: WorkerSettings): Promise<WorkerThread> {
  const worker = new Worker(url, { workerData: settings });
  await opened(worker);
  /** There are few at a time. An array and not a map, for the reason in `createDeadlineTimer`. */
  let waiting: Waiting[] = [];
  let lastId = 0;
  let ended: StoreUnavailable | undefined;

  worker.on('message', (answers: string) => {
    for (const [id, answer, failure] of JSON.parse(answers) as Answer[]) {
      const waiter = waiting.find((one) => one.id === id);
      waiting = waiting.filter((one) => one !== waiter);
      if (failure) waiter?.reject(toError(failure));
      else waiter?.resolve(answer as never);
    }
    if (waiting.length === 0 && !ended) worker.unref();
  });
  worker.on('error', (error) =>
    end(new StoreUnavailable('The store’s thread failed', { code: 'thread-failed', cause: error })),
  );
  worker.on('exit', () => end(closedStore()));
  worker.unref();

  function end(reason: StoreUnavailable): void {
    ended ??= reason;
    for (const { reject } of waiting) reject(ended);
    waiting = [];
  }

  const call: WorkerThread['call'] = (name, ask) =>
    new Promise((resolve, reject) => {
      if (ended) {
        reject(ended);
        return;
      }
      lastId += 1;
      waiting.push({ id: lastId, resolve, reject });
      if (waiting.length === 1) worker.ref();
      worker.postMessage([lastId, name, ask] as unknown as Call);
    });

  return {
    call,
    ended: () => ended !== undefined,
    async close() {
      if (ended) return;
      const exit = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      const closing = call('close', null);
      ended = closedStore();
      await closing;
      await exit;
    },
  };
}

export interface RestartingWorker extends Pick<WorkerThread, 'call' | 'close'> {
  /** Starts the thread unless it is running. */
  open(): Promise<void>;
}

/**
 * Starts the thread when it is first needed, and again after it failed. Calls in progress are refused, because it is
 * unknown whether they were executed. The next call is answered.
 */
export function createRestartingWorker(start: () => Promise<WorkerThread>): RestartingWorker {
  let current: WorkerThread | undefined;
  let starting: Promise<WorkerThread> | undefined;
  let closed = false;

  const running = (): Promise<WorkerThread> => {
    if (closed) return Promise.reject(closedStore());
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

function opened(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (opening: Opening) => {
      worker.off('error', reject);
      if (opening.opened) resolve();
      else reject(toError(opening.failure));
    });
  });
}

function closedStore(): StoreUnavailable {
  return new StoreUnavailable('The store is closed', { code: 'closed' });
}

function toError({ unavailable, mismatch, message, code }: Failure): Error {
  if (mismatch) return new SchemaMismatch(message);
  if (!unavailable) return new Error(message);
  return new StoreUnavailable(message, code === undefined ? {} : { code });
}
