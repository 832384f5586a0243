/**
 * An address, a domain, an IP address, a range, `AS<number>`, `country:<XX>`, `mx:<mail host>`, `device:<hash>` or
 * `person:<hash>` on a project's own list.
 */
export interface ListEntry {
  readonly value: string;
  readonly note?: string;
  /** On the block list: it flags and does not block. */
  readonly flag?: true;
  /** Milliseconds since 1970. From then on the entry no longer counts. */
  readonly expiresAt?: number;
  /** Who added it: `cli`, or a member’s ID. The service fills it in. */
  readonly author?: string;
}

/** Lists for rules, by name. */
export type NamedLists = Readonly<Record<string, readonly ListEntry[]>>;
