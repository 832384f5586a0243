import { StoreUnavailable } from './store-errors.ts';

/** A request is answered within two seconds, with a 503 if necessary. The rest is for the network. */
const REQUEST_TIMEOUT_MS = 1_600;
/** The minimum time for the store, even if the checks used up the budget: the request is almost answered. */
const LEAST_MS = 250;
const CHECK_EVERY_MS = 100;

/** Calls `onTimeout` after `timeoutMs`, unless the function it returns is called before. */
export type DeadlineTimer = (onTimeout: () => void, timeoutMs?: number) => () => void;

interface Deadline {
  readonly at: number;
  /** Removed when the call ends, so that the list does not keep the call alive. */
  onTimeout: (() => void) | undefined;
}

/**
 * One timer for all calls, because one timer per call would cost more than the call itself. Cancelled entries stay in
 * the list until the next check: a map whose entries come and go makes the garbage collector keep what they held.
 */
export function createDeadlineTimer(): DeadlineTimer {
  let deadlines: Deadline[] = [];
  let timer: NodeJS.Timeout | undefined;

  const check = () => {
    const now = performance.now();
    const over = deadlines.filter(({ at }) => at <= now);
    deadlines = deadlines.filter(({ at, onTimeout }) => onTimeout !== undefined && at > now);
    if (deadlines.length === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    for (const { onTimeout } of over) onTimeout?.();
  };

  return (onTimeout, timeoutMs = REQUEST_TIMEOUT_MS) => {
    const deadline: Deadline = { at: performance.now() + timeoutMs, onTimeout };
    deadlines.push(deadline);
    timer ??= setInterval(check, CHECK_EVERY_MS).unref();
    return () => {
      deadline.onTimeout = undefined;
    };
  };
}

export function timedOut(): StoreUnavailable {
  return new StoreUnavailable('The store did not answer in time. It is overloaded or blocked.', {
    code: 'timeout',
  });
}

/** The answer, or StoreUnavailable if it does not arrive in time. */
export function withDeadline<T>(
  startTimer: DeadlineTimer,
  timeoutMs: number | undefined,
  answer: Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = startTimer(() => reject(timedOut()), timeoutMs);
    answer.then(resolve, reject).finally(cancel);
  });
}

/** The total time that one request can wait for the store. */
export class RequestBudget {
  readonly #arrivedAt = performance.now();
  #leftMs = REQUEST_TIMEOUT_MS;
  #since = 0;

  /** Starts a wait; returns how long it may take. */
  begin(): number {
    if (this.#leftMs <= 0) throw timedOut();
    this.#since = performance.now();
    return this.#timeLeft(this.#since);
  }

  /** Ends a wait when the answer has arrived. A request without an answer makes no further calls. */
  end(): void {
    this.#leftMs -= performance.now() - this.#since;
  }

  /** Waits for work that the answer does not depend on, at most for the remaining time. */
  async waitAtMost(work: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, this.#timeLeft(performance.now())));
    });
    await Promise.race([work, over]).finally(() => clearTimeout(timer));
  }

  /** The caller waits for both the resolver and the store, so they share one budget. */
  #timeLeft(now: number): number {
    return Math.min(this.#leftMs, Math.max(LEAST_MS, this.#arrivedAt + REQUEST_TIMEOUT_MS - now));
  }
}

/** How long a command waits for a store that is busy or restarting. A request has no such time. */
export interface Patience {
  readonly limitMs: number;
  /** Called with the reason before each further attempt. */
  readonly onWait: (reason: StoreUnavailable) => void;
}

const PAUSE_MS = 500;

/** Tries again while the store is unavailable, until the time is over or the reason is one that stays. */
export async function patiently<T>(patience: Patience | undefined, work: () => Promise<T>): Promise<T> {
  const since = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || error.lasting || patience === undefined) throw error;
      if (performance.now() - since + PAUSE_MS > patience.limitMs) throw error;
      patience.onWait(error);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
