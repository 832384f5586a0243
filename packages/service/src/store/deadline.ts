import { StoreUnavailable } from './store.ts';

/** Requests get their answer within two seconds, a refusal if need be; the rest is for the way there and back. */
export const PATIENCE_MS = 1_600;
/** What the store has even when the checks took all of that: the request is nearly answered. */
const LEAST_MS = 250;
const LOOK_EVERY_MS = 100;

/** Watches a call for so long; answers the function that ends the watch. */
export type Patience = (giveUp: () => void, patienceMs?: number) => () => void;

interface Watch {
  readonly until: number;
  /** Absent once it is over, so that a watch that waits for the next look holds nothing of its call. */
  giveUp: (() => void) | undefined;
}

/**
 * One timer for all calls: a timer each would cost more than it tells. Ended watches stay in the list until the next
 * look: a map whose entries come and go makes the garbage collector keep what they held.
 */
export function patience(): Patience {
  let watches: Watch[] = [];
  let timer: NodeJS.Timeout | undefined;

  const look = () => {
    const now = performance.now();
    const late = watches.filter(({ until }) => until <= now);
    watches = watches.filter(({ until, giveUp }) => giveUp !== undefined && until > now);
    if (watches.length === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    for (const { giveUp } of late) giveUp?.();
  };

  return (giveUp, patienceMs = PATIENCE_MS) => {
    const watch: Watch = { until: performance.now() + patienceMs, giveUp };
    watches.push(watch);
    timer ??= setInterval(look, LOOK_EVERY_MS).unref();
    return () => {
      watch.giveUp = undefined;
    };
  };
}

export function tooLong(): StoreUnavailable {
  return new StoreUnavailable('The database takes too long');
}

/** The answer, or a refusal when it takes too long; what is answered after that goes to `late`. */
export function withDeadline<T>(
  patient: Patience,
  patienceMs: number | undefined,
  answer: Promise<T>,
  late: (answer: T) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    let gaveUp = false;
    const done = patient(() => {
      gaveUp = true;
      reject(tooLong());
    }, patienceMs);
    answer.then(
      (value) => {
        done();
        if (gaveUp) late(value);
        else resolve(value);
      },
      (error) => {
        done();
        reject(error);
      },
    );
  });
}

/** All the time that one request may wait for the store, however many things it has to ask. */
export class RequestBudget {
  readonly #arrivedAt = performance.now();
  #leftMs = PATIENCE_MS;
  #since = 0;

  /** Begins to wait; answers how long that may take. */
  begin(): number {
    if (this.#leftMs <= 0) throw tooLong();
    this.#since = performance.now();
    return this.#timeLeft(this.#since);
  }

  /** The answer is here. Who gets none has no more to ask. */
  end(): void {
    this.#leftMs -= performance.now() - this.#since;
  }

  /** Waits for what the answer does not depend on, no longer than there is time left. */
  async waitAtMost(work: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, this.#timeLeft(performance.now())));
    });
    await Promise.race([work, over]).finally(() => clearTimeout(timer));
  }

  /** The caller waits for the resolver and the store alike: what the one took, the other has not, but for a little. */
  #timeLeft(now: number): number {
    return Math.min(this.#leftMs, Math.max(LEAST_MS, this.#arrivedAt + PATIENCE_MS - now));
  }
}
