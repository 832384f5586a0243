import type { VerifySignature } from './ed25519.ts';

/** The same as `ed25519.ts` with Web Crypto alone, for Workers, Deno and edge runtimes. */
export async function importEd25519(x: string): Promise<VerifySignature> {
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x }, 'Ed25519', false, ['verify']);
  return (signed, signature) => subtle.verify('Ed25519', key, signature, signed);
}
