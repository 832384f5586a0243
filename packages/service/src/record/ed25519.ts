import { type KeyObject, sign } from 'node:crypto';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

/** Signs with one Ed25519 key (RFC 8032). Ed25519 is deterministic: every implementation makes the same signature. */
export type SignEd25519 = (message: Buffer) => Buffer | Promise<Buffer>;

/** The parts we use of libsodium’s binding, which has no types. */
interface Sodium {
  crypto_sign_detached(signature: Buffer, message: Buffer, secretKey: Buffer): void;
}

const SIGNATURE_BYTES = 64;
const signAsync = promisify(sign);

/**
 * A signature is the largest single cost of a request. On x64 libsodium takes half of OpenSSL’s time; on arm64, within a
 * request, both take 60 µs. It signs synchronously, because a hand-over to another thread takes longer. Where its binary
 * does not run, OpenSSL signs in the thread pool and the event loop stays free.
 */
export function ed25519Signer(privateKey: KeyObject): SignEd25519 {
  const sodium = findSodium();
  return sodium === undefined ? threadPoolSigner(privateKey) : sodiumSigner(privateKey, sodium);
}

export function threadPoolSigner(privateKey: KeyObject): SignEd25519 {
  return (message) => signAsync(null, message, privateKey);
}

export function sodiumSigner(privateKey: KeyObject, sodium: Sodium): SignEd25519 {
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const secretKey = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]);
  return (message) => {
    const signature = Buffer.allocUnsafe(SIGNATURE_BYTES);
    sodium.crypto_sign_detached(signature, message, secretKey);
    return signature;
  };
}

let found: { readonly sodium: Sodium | undefined } | undefined;

export function findSodium(): Sodium | undefined {
  found ??= { sodium: requireSodium() };
  return found.sodium;
}

function requireSodium(): Sodium | undefined {
  try {
    return createRequire(import.meta.url)('sodium-native') as Sodium;
  } catch {
    // An optional dependency, because not every system has a binary.
    return undefined;
  }
}
