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

/** Node’s codes for certificates that do not prove whose server it is. */
const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is signed by an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'cannot be verified: the receiver does not send the whole chain',
};

function certificateFault(error: unknown, code = ''): string | undefined {
  const fault = CERTIFICATE_FAULTS[code];
  if (fault === undefined) return undefined;
  // Which names the certificate is for.
  const { reason } = error as { readonly reason?: unknown };
  return `its TLS certificate ${fault}${typeof reason === 'string' ? ` (${reason})` : ''}`;
}

/** The reason in OpenSSL’s messages, which are numbers, function names and source files besides. */
function tlsFault(message = ''): string | undefined {
  const reason = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1];
  return reason === undefined ? undefined : `TLS failed: ${reason}`;
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
      const what =
        certificateFault(error, code) ?? tlsFault(message) ?? (message?.trim() || code || 'unknown');
      return new SafeFetchError('connection', `cannot be reached: ${what}`, cause);
    },
  };
}
