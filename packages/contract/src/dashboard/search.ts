export type SearchAnswer =
  | { kind: 'person'; inbox: string }
  | { kind: 'device'; device: string }
  | { kind: 'domain'; domain: string }
  | { kind: 'network'; network: string }
  /** A network’s number, such as AS3320. */
  | { kind: 'asn'; asn: number }
  | { kind: 'validation'; id: string }
  /** Several people or operators: the log with these filters shows them. */
  | { kind: 'log'; filters: { inbox: string } | { asn: string } }
  /** `message` says what was looked for. */
  | { kind: 'nothing'; message: string };
