const RETRY_MS = 500;
/** After this long it is dropped. */
export const GIVE_UP_MS = 30 * 60_000;

/** Work that must be done but that nobody waits for. It is retried for up to 30 minutes, then dropped. */
export interface RetryQueue {
  add(work: () => Promise<void>): void;
  /** Retries the remaining tasks once, then drops them. */
  close(): Promise<void>;
}

export function createRetryQueue(): RetryQueue {
  const pending = new Set<Task>();
  let closed = false;

  /** One attempt at a time: a task in progress is not started again. */
  const attempt = (task: Task): Promise<boolean> => {
    task.inFlight ??= task
      .work()
      .then(
        () => pending.delete(task),
        () => false,
      )
      .finally(() => {
        task.inFlight = undefined;
      });
    return task.inFlight;
  };
  const keepTrying = async (task: Task): Promise<void> => {
    const since = performance.now();
    while (!closed && performance.now() - since < GIVE_UP_MS) {
      if (await attempt(task)) return;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
    if (!closed) pending.delete(task);
  };

  return {
    add(work) {
      const task: Task = { work, inFlight: undefined };
      pending.add(task);
      void keepTrying(task);
    },
    async close() {
      closed = true;
      await Promise.all([...pending].map(attempt));
    },
  };
}

interface Task {
  readonly work: () => Promise<void>;
  inFlight: Promise<boolean> | undefined;
}
