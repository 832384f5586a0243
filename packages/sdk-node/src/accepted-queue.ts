import { isPosternError, type PosternError } from 'postern~sdk/core';
import { MAX_OUTCOMES, type OutcomeRequest } from '@postern/contract';
import type { ReportOutcome } from './report-outcome.ts';

export interface AcceptedQueue {
  /** Never waits and never throws: a sign-up must not depend on it. */
  add(email: string, requestId: string | null): void;
  /** Sends everything that is waiting. Call it before the process ends. */
  flush(): Promise<void>;
}

const WAIT_MS = 2_000;
/** The most that is kept during an outage. Older entries are dropped. */
const MAX_WAITING = 1_000;

/** Collects accepted sign-ups and sends them in batches: when there are a hundred, or after two seconds. */
export function createAcceptedQueue(
  reportOutcome: ReportOutcome,
  onProblem: ((problem: PosternError) => void) | undefined,
  now: () => number,
): AcceptedQueue {
  let waiting: OutcomeRequest[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> = Promise.resolve();

  const send = async () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      const { unknown } = await reportOutcome(batch);
      const byAddress = unknown.flatMap((index) => withoutRequest(batch[index]));
      if (byAddress.length > 0) await reportOutcome(byAddress);
    } catch (error) {
      if (!isPosternError(error)) throw error;
      // Sending refused ones again would be refused again. After an outage the next sign-up retries.
      if (error.kind !== 'request') waiting = [...batch, ...waiting].slice(-MAX_WAITING);
      onProblem?.(error);
    }
  };
  const flush = () => {
    sending = sending.then(send, send);
    return sending;
  };
  return {
    add(email, requestId) {
      // With the request, the service also knows the device that signed up.
      const asked = requestId === null ? {} : { requestId };
      waiting.push({ email, ...asked, outcome: 'accepted', at: new Date(now()).toISOString() });
      if (waiting.length > MAX_WAITING) waiting.shift();
      if (waiting.length === MAX_OUTCOMES) void flush();
      timer ??= startTimer(() => void flush());
    },
    flush,
  };
}

/** A page can choose the ID of its request. One that does not name the person alone must not hide the sign-up. */
function withoutRequest(outcome: OutcomeRequest | undefined): OutcomeRequest[] {
  if (outcome?.requestId === undefined) return [];
  const { requestId: _, ...rest } = outcome;
  return [rest];
}

/** The timer does not keep the process alive. Edge runtimes have no `unref`. */
function startTimer(run: () => void): ReturnType<typeof setTimeout> {
  const timer: ReturnType<typeof setTimeout> & { unref?: () => unknown } = setTimeout(run, WAIT_MS);
  timer.unref?.();
  return timer;
}
