/** An address that RFC 5321 and RFC 6531 accept. Whether a person would sign up with it is the syntax check’s to say. */
export interface EmailAddress {
  /** As typed, without the white space around it. */
  readonly typed: string;
  /** Lower case, NFC, A-label domain: one string for one address. */
  readonly normalized: string;
  /** The part before the @ of `normalized`; a quoted one keeps its quotes. */
  readonly local: string;
  /** The domain in A-labels, lower case; an address literal keeps its brackets. */
  readonly asciiDomain: string;
  readonly unicodeDomain: string;
  readonly quoted: boolean;
  readonly literal: boolean;
}
