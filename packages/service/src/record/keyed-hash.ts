import { hash } from 'node:crypto';

/** Hashes what must be recognised again but never read: one value, one text, for this instance only. */
export type KeyedHash = (kind: HashedKind, value: string) => string;

export type HashedKind =
  | 'inbox'
  | 'spelling'
  | 'device'
  | 'network'
  | 'visitor'
  | 'idempotency-key'
  | 'idempotent-request';

const TEXT_LENGTH = 22;

/**
 * SHA-256 over the instance’s secret and the value, cut to 132 bits. The secret has a fixed length, the kind
 * is one of a few words and ends in a colon, so no two inputs read alike; the cut leaves nothing to extend.
 * It costs a quarter of `createHmac`, four times a request.
 */
export function createKeyedHash(secret: string): KeyedHash {
  return (kind, value) => hash('sha256', `${secret}${kind}:${value}`, 'base64url').slice(0, TEXT_LENGTH);
}
