export interface QueuedWork {
  /** Starts the work; called once. The slot is free again when the promise settles. */
  readonly start: () => Promise<unknown>;
}

export interface FairQueue {
  /**
   * Starts the work now or adds it to the project’s queue. `false` if the queue is full; the work will not be started.
   * The same work can be in the queues of several projects. It starts when the first of them has its turn.
   */
  readonly add: (project: string, work: QueuedWork) => boolean;
  /** Removes work that no caller wants any more from every queue. */
  readonly remove: (work: QueuedWork) => void;
  readonly running: () => number;
  readonly waiting: () => number;
}

export interface FairQueueOptions {
  readonly maxRunning: number;
  readonly maxWaiting: number;
}

/**
 * Shares a fixed number of slots among projects, so that no project can starve the others. Projects take turns, and a
 * project gets another slot only while it holds fewer than are free. So a single project gets half of the slots, two get
 * a third each, and some are always free for the next project. The queue space is shared by the same rule.
 */
export function createFairQueue({ maxRunning, maxWaiting }: FairQueueOptions): FairQueue {
  /** Queues by project, in the order of their turns. Only projects with queued work. */
  const queues = new Map<string, Set<QueuedWork>>();
  const runningOf = new Map<string, number>();
  let running = 0;
  let waiting = 0;

  const mayRun = (project: string) => (runningOf.get(project) ?? 0) < maxRunning - running;

  const remove = (work: QueuedWork) => {
    for (const [project, queue] of queues) {
      if (!queue.delete(work)) continue;
      waiting--;
      if (queue.size === 0) queues.delete(project);
    }
  };

  const start = (project: string, work: QueuedWork) => {
    running++;
    runningOf.set(project, (runningOf.get(project) ?? 0) + 1);
    const end = () => {
      running--;
      const left = (runningOf.get(project) ?? 1) - 1;
      if (left === 0) runningOf.delete(project);
      else runningOf.set(project, left);
      startNext();
    };
    work.start().then(end, end);
  };

  const startNext = () => {
    for (const [project, queue] of [...queues]) {
      const [work] = queue;
      if (work === undefined || !mayRun(project)) continue;
      remove(work);
      // The project’s next turn comes after everybody else’s.
      if (queue.size > 0) {
        queues.delete(project);
        queues.set(project, queue);
      }
      start(project, work);
    }
  };

  return {
    add: (project, work) => {
      const queue = queues.get(project);
      if (queue === undefined && mayRun(project)) {
        remove(work);
        start(project, work);
        return true;
      }
      if ((queue?.size ?? 0) >= maxWaiting - waiting) return false;
      if (queue === undefined) queues.set(project, new Set([work]));
      else queue.add(work);
      waiting++;
      return true;
    },
    remove,
    running: () => running,
    waiting: () => waiting,
  };
}
