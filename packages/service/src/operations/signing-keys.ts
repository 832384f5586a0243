import { makeSigningKey } from '../record/verdict.ts';
import type { SigningKey } from '../store/tables/instance-table.ts';
import type { Administration } from './administration.ts';
import { perform } from './perform.ts';

/** A new key is published immediately and signs six minutes later; the old public half stays published for a day. */
export function rotateSigningKey(admin: Administration): Promise<SigningKey> {
  return perform(admin, async () => {
    const key = makeSigningKey(admin.now());
    return {
      write: admin.store.instance.signingKeyRotation(key),
      note: [{ action: 'signing-key.rotate', project: null, detail: { kid: key.kid } }],
      answer: key,
    };
  });
}

/**
 * For a leaked key. All earlier keys are deleted, including their public halves, so the new one is the only one and
 * signs immediately. Verdicts of the old keys are refused once the key set is fetched again.
 */
export function revokeSigningKeys(
  admin: Administration,
): Promise<{ readonly key: SigningKey; readonly revoked: readonly string[] }> {
  const { instance } = admin.store;
  return perform(admin, async () => {
    const key = makeSigningKey(admin.now());
    const revoked = (await instance.signingKeys()).map(({ kid }) => kid);
    return {
      write: [...instance.signingKeyRotation(key), ...instance.signingKeyRemoval(revoked)],
      note: [{ action: 'signing-key.revoke', project: null, detail: { kid: key.kid, revoked } }],
      answer: { key, revoked },
    };
  });
}
