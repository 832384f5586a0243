import { type DeadlineTimer, timedOut } from './deadline.ts';

/** A transaction of this many holds the write lock for some tens of milliseconds at most. */
export const MAX_BATCH = 512;

export interface BatcherOptions<Call, Answer> {
  /**
   * Sends calls together; resolves to their answers in the same order.
   */
  readonly send: (calls: readonly Call[]) => Promise<readonly Answer[]>;
  readonly startTimer: DeadlineTimer;
  readonly maxSize: number;
  /** How many batches can be in flight at once. Calls that arrive in the meantime form the next batch. */
  readonly maxUnderWay: number;
  /** A batch is sent before the turn of the event loop ends if this many calls wait. By default it is not. */
  readonly sendEarlyAt?: number | undefined;
  /** When one more batch may be sent while others are in flight. By default as soon as a call waits. */
  readonly another?: AnotherBatch;
  /** Called for each batch; the function it returns says whether a call may join. By default any may. */
  readonly startBatch?: () => (call: Call) => boolean;
}

interface AnotherBatch {
  /** At least this many calls must wait. */
  readonly minWaiting: number;
  /** The last batch must have been answered within this time. */
  readonly maxLastMs: number;
}

export interface Batcher<Call, Answer> {
  /** Rejects with StoreUnavailable when there is no answer after `timeoutMs`. */
  call(call: Call, timeoutMs?: number): Promise<Answer>;
  /** Resolves when no call is waiting or in flight. */
  idle(): Promise<void>;
}

interface Waiting<Call, Answer> {
  readonly call: Call;
  readonly cancelTimer: () => void;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  timedOut: boolean;
}

/**
 * Collects the calls of one turn of the event loop, and those that arrive while the maximum number of batches is in
 * flight, and sends them together. Work that is done once per batch costs each call almost nothing. A call whose
 * deadline passes before it is sent is not sent.
 */
export function createBatcher<Call, Answer>(options: BatcherOptions<Call, Answer>): Batcher<Call, Answer> {
  const { send, startTimer, maxSize, maxUnderWay, another = ALWAYS, startBatch = anyCall } = options;
  const { sendEarlyAt = Number.POSITIVE_INFINITY } = options;
  let queue: Waiting<Call, Answer>[] = [];
  let underWay = 0;
  let lastMs = 0;
  let scheduled = false;
  let whenIdle: (() => void)[] = [];

  const canSend = () => {
    if (underWay === 0) return queue.length > 0;
    return underWay < maxUnderWay && queue.length >= another.minWaiting && lastMs <= another.maxLastMs;
  };

  const nextBatch = (): Waiting<Call, Answer>[] => {
    const batch: Waiting<Call, Answer>[] = [];
    const mayJoin = startBatch();
    let taken = 0;
    for (const waiting of queue) {
      if (!waiting.timedOut) {
        if (batch.length >= maxSize || !mayJoin(waiting.call)) break;
        batch.push(waiting);
      }
      taken += 1;
    }
    queue = queue.slice(taken);
    return batch;
  };

  const run = async (batch: readonly Waiting<Call, Answer>[]): Promise<void> => {
    const sentAt = performance.now();
    try {
      const answers = await send(batch.map(({ call }) => call));
      for (const [index, waiting] of batch.entries()) {
        waiting.cancelTimer();
        waiting.resolve(answers[index] as Answer);
      }
    } catch (error) {
      for (const waiting of batch) {
        waiting.cancelTimer();
        waiting.reject(error);
      }
    }
    lastMs = performance.now() - sentAt;
    underWay -= 1;
    sendNext();
  };

  const sendNext = () => {
    scheduled = false;
    while (canSend()) {
      const batch = nextBatch();
      if (batch.length === 0) continue;
      underWay += 1;
      void run(batch);
    }
    if (underWay > 0 || queue.length > 0) return;
    const resolvers = whenIdle;
    whenIdle = [];
    for (const resolve of resolvers) resolve();
  };

  return {
    call: (call, timeoutMs) =>
      new Promise((resolve, reject) => {
        const cancelTimer = startTimer(() => {
          waiting.timedOut = true;
          reject(timedOut());
        }, timeoutMs);
        const waiting: Waiting<Call, Answer> = {
          call,
          cancelTimer,
          resolve,
          reject,
          timedOut: false,
        };
        queue.push(waiting);
        if (!canSend()) return;
        if (queue.length >= sendEarlyAt) sendNext();
        else if (!scheduled) {
          scheduled = true;
          setImmediate(sendNext);
        }
      }),
    idle: () =>
      new Promise((resolve) => {
        if (underWay === 0 && queue.length === 0) resolve();
        else whenIdle.push(resolve);
      }),
  };
}

const anyCall = () => () => true;
const ALWAYS: AnotherBatch = { minWaiting: 1, maxLastMs: Number.POSITIVE_INFINITY };
