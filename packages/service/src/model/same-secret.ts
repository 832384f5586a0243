import { hash, timingSafeEqual } from 'node:crypto';

/** Compares hashes in constant time, so that the time shows neither content nor length. */
export function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
