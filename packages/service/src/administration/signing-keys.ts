import { makeSigningKey } from '../record/verdict.ts';
import type { SigningKey } from '../store/tables/instance-table.ts';
import { type Administration, audit } from './administration.ts';

/** A new key is published immediately and signs six minutes later; the old public half stays published for a day. */
export async function rotateSigningKey(
  admin: Pick<Administration, 'store' | 'now' | 'actor'>,
): Promise<SigningKey> {
  const key = makeSigningKey(admin.now());
  await admin.store.instance.addSigningKey(key, false);
  await audit(admin, 'signing-key.rotate', null, { kid: key.kid });
  return key;
}

/**
 * For a leaked key. All earlier keys are deleted, including their public halves, so the new one is the only one and
 * signs immediately. Verdicts of the old keys are refused once the key set is fetched again.
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
