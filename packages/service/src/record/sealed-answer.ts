import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

const SALT_BYTES = 16;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What an answer is encrypted with. Only a caller who repeats the same request knows both. */
export interface SealingInput {
  readonly idempotencyKey: string;
  readonly body: Buffer;
}

/**
 * Encrypts an answer for the caller who repeats the same request. The answer holds the fingerprint and the canonical
 * address, which are never stored in plain text: the store has hashes of key and body, from which the encryption key
 * cannot be derived. HKDF (RFC 5869) with SHA-256, then AES-256-GCM.
 */
export function sealAnswer(text: string, input: SealingInput, randomBytes: (size: number) => Buffer): string {
  const salt = randomBytes(SALT_BYTES);
  const sealed = seal(text, sealingKey(input, salt), randomBytes(NONCE_BYTES));
  return Buffer.concat([salt, sealed]).toString('base64');
}

/** The text of a sealed answer. Throws when it was sealed for another request or was changed. */
export function openAnswer(sealed: string, input: SealingInput): string {
  const bytes = Buffer.from(sealed, 'base64');
  return unseal(bytes.subarray(SALT_BYTES), sealingKey(input, bytes.subarray(0, SALT_BYTES)));
}

/** The nonce, the tag and the sealed text. A nonce is used once. */
export function seal(text: string, key: Buffer, nonce: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Throws when the text was sealed with another key or was changed. */
export function unseal(bytes: Buffer, key: Buffer): string {
  const textAt = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, textAt));
  return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]).toString('utf8');
}

/** The idempotency key has no NUL, so no two requests give the same input. */
function sealingKey({ idempotencyKey, body }: SealingInput, salt: Buffer): Buffer {
  const secret = Buffer.concat([Buffer.from(`${idempotencyKey}\0`), body]);
  return Buffer.from(hkdfSync('sha256', secret, salt, 'postern idempotent answer', 32));
}
