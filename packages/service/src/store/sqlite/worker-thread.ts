import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../store.ts';
import type { Answer, Call, CallName, Failure, Opening, WorkerCalls, WorkerSettings } from './worker-call.ts';

export interface WorkerThread {
  call<Name extends CallName>(
    name: Name,
    ask: WorkerCalls[Name]['ask'],
  ): Promise<WorkerCalls[Name]['answer']>;
  /** Whether it was closed or failed. */
  ended(): boolean;
  /** Lets the thread finish what it was asked, then ends it. */
  close(): Promise<void>;
}

interface Waiting {
  readonly id: number;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** Starts a thread on the database and waits until it is open. */
export async function startWorkerThread(url: URL, settings: WorkerSettings): Promise<WorkerThread> {
  const worker = new Worker(url, { workerData: settings });
  await opened(worker);
  /** Few at a time. A map whose entries come and go makes the garbage collector keep what they held. */
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
  worker.on('error', (error) => end(new StoreUnavailable('The store’s thread failed', { cause: error })));
  worker.on('exit', () => end(new StoreUnavailable('The store is closed')));
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
      ended = new StoreUnavailable('The store is closed');
      await closing;
      await exit;
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

function toError({ unavailable, message }: Failure): Error {
  return unavailable ? new StoreUnavailable(message) : new Error(message);
}
