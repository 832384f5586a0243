/**
 * The store cannot be reached or will not answer in time: a 503, never a 500. The message says why in words that are
 * safe to show: no address, password or SQL. It can name a file of the embedded store.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** SQLSTATE, Node’s or SQLite’s code, or a word of ours such as `timeout`. */
  readonly code: string;
  /** Waiting does not help: the operator has to change something. */
  readonly lasting: boolean;

  constructor(message: string, { code = 'unknown', lasting = false, cause }: StoreUnavailableOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.lasting = lasting;
  }
}

interface StoreUnavailableOptions {
  readonly code?: string;
  readonly lasting?: boolean;
  readonly cause?: unknown;
}

/** The user’s request is impossible, and the message says why (a duplicate ID, an unknown project). */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
}
