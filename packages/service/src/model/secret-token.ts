import { hash } from 'node:crypto';

/** What a link or a script carries: a prefix that tells what it is, and 256 random bits. */
export function makeSecretToken(prefix: string, randomBytes: (size: number) => Uint8Array): string {
  return prefix + Buffer.from(randomBytes(32)).toString('base64url');
}

/** How the store knows it. The token is random throughout, so a plain hash cannot be searched. */
export function hashSecretToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
