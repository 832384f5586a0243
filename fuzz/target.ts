/** One thing that takes bytes from outside, with what must hold whatever the bytes are. */
export interface FuzzTarget {
  readonly name: string;
  /** Strings that make interesting inputs when they are put into one. */
  readonly words: readonly string[];
  readonly open: () => Promise<OpenTarget>;
}

export interface OpenTarget {
  /** Throws or rejects when a promise is broken. */
  readonly check: (input: Buffer) => void | Promise<void>;
  readonly close: () => Promise<void>;
}
