import { hash } from 'node:crypto';

/** A token for a link or a script: a prefix that states its purpose, and 256 random bits. */
export function makeSecretToken(prefix: string, randomBytes: (size: number) => Uint8Array): string {
  return prefix + Buffer.from(randomBytes(32)).toString('base64url');
}

/** The hash that the store keeps of a token or a key. At least 178 bits are random, so a plain hash cannot be brute-forced. */
export function hashSecretToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
