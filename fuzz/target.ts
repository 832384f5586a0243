/** A function that takes bytes from outside, and what must be true for any bytes. */
export interface FuzzTarget {
  readonly name: string;
  /** Strings that are inserted into inputs. */
  readonly words: readonly string[];
  readonly open: () => Promise<OpenTarget>;
}

interface OpenTarget {
  /** Throws or rejects if something that must be true is not. */
  readonly check: (input: Buffer) => void | Promise<void>;
  readonly close: () => Promise<void>;
}
