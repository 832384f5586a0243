export type AliasKind = 'none' | 'tag' | 'dots' | 'subdomain' | 'domain' | 'relay';

/** The inbox that an address reaches. */
export interface Inbox {
  /** The address of the certain same inbox; the normalised address itself when nothing is known. */
  readonly canonical: string;
  /** A weaker guess at the same inbox. */
  readonly family?: string;
  readonly kind: AliasKind;
  /** Whose rules were applied. */
  readonly provider?: string;
}
