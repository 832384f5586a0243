import { hash } from 'node:crypto';
import { BoundedMap } from './bounded-map.ts';
import { getOrMake } from './get-or-make.ts';

/** Hashes values that must be recognised but never read. The hashes are specific to this instance. */
export type KeyedHash = (kind: HashedKind, value: string) => string;

type HashedKind =
  | 'inbox'
  | 'spelling'
  | 'device'
  | 'network'
  | 'domain'
  | 'mail-host'
  | 'visitor'
  | 'challenge'
  | 'trace'
  | 'claimant'
  | 'idempotency-key'
  | 'idempotent-request';

const TEXT_LENGTH = 22;
const MAX_NETWORKS = 4_096;

/**
 * SHA-256 over the instance’s secret and the value, cut to 132 bits. The secret has a fixed length, the kind is one of
 * a few words and ends in a colon, so different inputs never collide by concatenation. The truncation prevents length
 * extension. It costs a quarter of `createHmac` and runs up to four times per request. Many people share a network, so
 * the hashes of the last networks are remembered.
 */
export function createKeyedHash(secret: string): KeyedHash {
  const networks = new BoundedMap<string, string>(MAX_NETWORKS);
  const compute: KeyedHash = (kind, value) =>
    hash('sha256', `${secret}${kind}:${value}`, 'base64url').slice(0, TEXT_LENGTH);
  return (kind, value) => {
    if (kind !== 'network') return compute(kind, value);
    return getOrMake(networks, value, () => compute(kind, value));
  };
}
