/** What stands behind a domain’s mail. The order is the one in which mixed hosts are judged: the first wins. */
export const MAIL_KINDS = ['forwarder', 'webhost', 'own', 'hosted', 'provider', 'unknown'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export interface MailFacts {
  readonly kind: MailKind;
  /** The operator’s registrable name, or the address of a host that belongs to no known product. Empty if DNS did not tell. */
  readonly host: string;
  /** The address of a host that no list has: whatever it is called, it is one host. */
  readonly address?: string;
}

export const UNKNOWN_MAIL: MailFacts = { kind: 'unknown', host: '' };
