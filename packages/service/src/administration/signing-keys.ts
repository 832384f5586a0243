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
