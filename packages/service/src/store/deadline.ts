import { StoreUnavailable } from './store.ts';

/** A request is answered within two seconds, with a 503 if need be. The rest is for the way there and back. */
export const REQUEST_TIMEOUT_MS = 1_600;
/** What the store gets even when the checks used all of that: the request is nearly answered. */
const LEAST_MS = 250;
const CHECK_EVERY_MS = 100;

/** Calls `onTimeout` after `timeoutMs`, unless the function it returns is called before. */
export type DeadlineTimer = (onTimeout: () => void, timeoutMs?: number) => () => void;

interface Deadline {
  readonly at: number;
  /** Absent once it is over, so that an entry that waits for its removal holds nothing of its call. */
  onTimeout: (() => void) | undefined;
}

/**
 * One timer for all calls: a timer each would cost more than the call. Cancelled entries stay in the list until the
 * next check: a map whose entries come and go makes the garbage collector keep what they held.
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
  return new StoreUnavailable('The database takes too long');
}

/** The answer, or StoreUnavailable when it does not come in time. */
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

/** The time that one request may wait for the store, over all that it asks of it. */
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

  /** The answer is here. A request that gets none asks nothing more. */
  end(): void {
    this.#leftMs -= performance.now() - this.#since;
  }

  /** Waits for work that the answer does not depend on, no longer than there is time left. */
  async waitAtMost(work: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, this.#timeLeft(performance.now())));
    });
    await Promise.race([work, over]).finally(() => clearTimeout(timer));
  }

  /** The caller waits for the resolver and the store alike, so what one took is missing for the other. */
  #timeLeft(now: number): number {
    return Math.min(this.#leftMs, Math.max(LEAST_MS, this.#arrivedAt + REQUEST_TIMEOUT_MS - now));
  }
}
