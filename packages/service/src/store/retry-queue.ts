const RETRY_MS = 500;
/** After this long it is dropped. It must be less than the hour after which PostgreSQL’s sweep forgets batches. */
const GIVE_UP_MS = 30 * 60_000;

/** Work that must be done but that nobody waits for. It is retried until it succeeds. */
export interface RetryQueue {
  add(work: () => Promise<void>): void;
  /** Retries the remaining tasks once, then drops them. */
  close(): Promise<void>;
}

export function createRetryQueue(): RetryQueue {
  const left = new Set<Task>();
  let closed = false;

  /** One attempt at a time: a task in progress is not started again. */
  const attempt = (task: Task): Promise<boolean> => {
    task.underWay ??= task
      .work()
      .then(
        () => left.delete(task),
        () => false,
      )
      .finally(() => {
        task.underWay = undefined;
      });
    return task.underWay;
  };
  const keepTrying = async (task: Task): Promise<void> => {
    const since = performance.now();
    while (!closed && performance.now() - since < GIVE_UP_MS) {
      if (await attempt(task)) return;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
    if (!closed) left.delete(task);
  };

  return {
    add(work) {
      const task: Task = { work, underWay: undefined };
      left.add(task);
      void keepTrying(task);
    },
    async close() {
      closed = true;
      await Promise.all([...left].map(attempt));
    },
  };
}

interface Task {
  readonly work: () => Promise<void>;
  underWay: Promise<boolean> | undefined;
}
