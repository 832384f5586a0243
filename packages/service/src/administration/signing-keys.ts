import { makeSigningKey } from '../record/verdict.ts';
import type { SigningKey } from '../store/store.ts';
import { type Administration, audit } from './administration.ts';

/** A new key is published at once and signs from six minutes later on; the old public half stays published for a day. */
export async function rotateSigningKey(
  admin: Pick<Administration, 'store' | 'now' | 'actor'>,
): Promise<SigningKey> {
  const key = makeSigningKey(admin.now());
  await admin.store.instance.addSigningKey(key, false);
  await audit(admin, 'signing-key.rotate', null, { kid: key.kid });
  return key;
}

/**
 * For a key that somebody else may have. All earlier keys are forgotten, public halves too, so that the new one, being
 * the only one, signs at once. Verdicts that they signed are refused wherever the key set is fetched anew.
 */
export async function revokeSigningKeys(
  admin: Pick<Administration, 'store' | 'now' | 'actor'>,
): Promise<{ readonly key: SigningKey; readonly revoked: readonly string[] }> {
  const key = makeSigningKey(admin.now());
  await admin.store.instance.addSigningKey(key, false);
  const revoked = await admin.store.instance.removeRetiredSigningKeys();
  await audit(admin, 'signing-key.revoke', null, { kid: key.kid, revoked });
  return { key, revoked };
}
