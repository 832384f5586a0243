import { createHash, generateKeyPairSync } from 'node:crypto';
import type { SigningKey } from '../store/store.ts';
import { type Administration, audit } from './administration.ts';

/** An Ed25519 key pair for verdicts. Its ID is the public half’s thumbprint (RFC 7638, RFC 8037 section 2). */
export function makeSigningKey(now: number): SigningKey {
  const pair = generateKeyPairSync('ed25519');
  const { x } = pair.publicKey.export({ format: 'jwk' });
  if (x === undefined) throw new Error('An Ed25519 key came without its public part');
  const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
  return {
    kid,
    privateKey: pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x },
    createdAt: now,
    retiredAt: null,
  };
}

/** The keys that sign or signed; the first process of a new store makes one, and the others take it. */
export async function ensureSigningKeys({
  store,
  now,
}: Pick<Administration, 'store' | 'now'>): Promise<SigningKey[]> {
  const keys = await store.instance.signingKeys();
  if (keys.some((key) => key.retiredAt === null)) return keys;
  return store.instance.addSigningKey(makeSigningKey(now()), true);
}

/** From now on verdicts are signed with a new key; the old public half stays published for a day. */
export async function rotateSigningKey(
  admin: Pick<Administration, 'store' | 'now' | 'actor'>,
): Promise<SigningKey> {
  const key = makeSigningKey(admin.now());
  await admin.store.instance.addSigningKey(key, false);
  await audit(admin, 'signing-key.rotate', null, { kid: key.kid });
  return key;
}
