import { createPublicKey, verify } from 'node:crypto';

/** Checks signatures of one public key. */
export type VerifySignature = (
  signed: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
) => boolean | Promise<boolean>;

/**
 * An Ed25519 key by the `x` of its JWK. The build for edge runtimes puts `ed25519-web.ts` in the place of this file:
 * Web Crypto’s Ed25519 prints a warning in Node 20.
 */
export async function importEd25519(x: string): Promise<VerifySignature> {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return (signed, signature) => verify(null, signed, key, signature);
}
