/** An address that RFC 5321 and RFC 6531 accept. The syntax check decides whether a person would sign up with it. */
export interface EmailAddress {
  /** As typed, trimmed. */
  readonly typed: string;
  /** Lower case, NFC, A-label domain. Every address has exactly one normalized form. */
  readonly normalized: string;
  /** The part before the @ in `normalized`. A quoted local part keeps its quotes. */
  readonly local: string;
  /** The domain in A-labels, lower case; an address literal keeps its brackets. */
  readonly asciiDomain: string;
  readonly unicodeDomain: string;
  readonly quoted: boolean;
  readonly literal: boolean;
}
