export type SafeFetchReason =
  | 'url'
  | 'unresolved'
  | 'private-address'
  | 'redirect'
  | 'connection'
  | 'timeout'
  | 'too-large'
  | 'incomplete';

/** Why a request failed. The message completes a sentence that starts with the name of what was fetched. */
export class SafeFetchError extends Error {
  readonly reason: SafeFetchReason;

  constructor(reason: SafeFetchReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SafeFetchError';
    this.reason = reason;
  }
}

/** One time limit for all steps of a request. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Rejects when the work is not done in time; the work itself may go on. */
  limit<T>(work: Promise<T>): Promise<T>;
  /** Converts an error. Any error after the deadline is a time-out. */
  explain(error: unknown, receivedBytes?: number): SafeFetchError;
}

export function startDeadline(timeoutMs: number): Deadline {
  const signal = AbortSignal.timeout(timeoutMs);
  const tooLate = (receivedBytes: number | undefined) => {
    const received = receivedBytes === undefined ? '' : ` (${receivedBytes} bytes had arrived)`;
    return new SafeFetchError('timeout', `did not finish within ${timeoutMs / 1000} seconds${received}`);
  };
  return {
    signal,
    limit: (work) =>
      new Promise((resolve, reject) => {
        const expire = () => reject(tooLate(undefined));
        if (signal.aborted) return expire();
        signal.addEventListener('abort', expire, { once: true });
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', expire));
      }),
    explain: (error, receivedBytes) => {
      if (error instanceof SafeFetchError) return error;
      if (signal.aborted) return tooLate(receivedBytes);
      const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
      const cause = { cause: error };
      if (code === 'ECONNRESET' && receivedBytes !== undefined)
        return new SafeFetchError('incomplete', `ended after ${receivedBytes} bytes`, cause);
      return new SafeFetchError('connection', `cannot be reached: ${message || code || 'unknown'}`, cause);
    },
  };
}
