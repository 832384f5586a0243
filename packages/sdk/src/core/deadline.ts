/**
 * One signal for two reasons to stop: the caller’s own signal and the time limit of the call. `AbortSignal.any` and
 * `AbortSignal.timeout` would do the same, but React Native has neither.
 */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Why the signal aborted, if it did. */
  readonly stopped: () => 'ABORTED' | 'TIMEOUT' | null;
  /** Ends the call’s time early. */
  readonly expire: () => void;
  readonly end: () => void;
}

/** The longest delay of a timer. A longer one would fire immediately. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

export function startDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let stopped: 'ABORTED' | 'TIMEOUT' | null = null;
  const stop = (reason: 'ABORTED' | 'TIMEOUT') => {
    stopped ??= reason;
    controller.abort();
  };
  const onCallerAbort = () => stop('ABORTED');
  const timer = setTimeout(() => stop('TIMEOUT'), Math.min(timeoutMs, MAX_TIMER_MS));
  if (callerSignal?.aborted) stop('ABORTED');
  callerSignal?.addEventListener('abort', onCallerAbort);
  return {
    signal: controller.signal,
    stopped: () => stopped,
    expire: () => stop('TIMEOUT'),
    end: () => {
      clearTimeout(timer);
      callerSignal?.removeEventListener('abort', onCallerAbort);
    },
  };
}
