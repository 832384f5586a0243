import { hash } from 'node:crypto';

/** Hashes values that must be recognised but never read. The hashes are specific to this instance. */
export type KeyedHash = (kind: HashedKind, value: string) => string;

type HashedKind =
  | 'inbox'
  | 'spelling'
  | 'device'
  | 'network'
  | 'visitor'
  | 'idempotency-key'
  | 'idempotent-request';

const TEXT_LENGTH = 22;

/**
 * SHA-256 over the instance’s secret and the value, cut to 132 bits. The secret has a fixed length, the kind is one of
 * a few words and ends in a colon, so different inputs never collide by concatenation. The truncation prevents length
 * extension. It costs a quarter of `createHmac` and runs four times per request.
 */
export function createKeyedHash(secret: string): KeyedHash {
  return (kind, value) => hash('sha256', `${secret}${kind}:${value}`, 'base64url').slice(0, TEXT_LENGTH);
}
