import { removeAccessTokens } from './access-tokens.ts';
import { type Administration, audit } from './administration.ts';

/** What is removed with a member’s sessions. */
export interface RevokeOptions {
  readonly revokeTokens: boolean;
  readonly revokePasskeys: boolean;
}

/** Whether something else than the password still opens the account. */
export interface WaysIn {
  readonly tokensRevoked: number;
  readonly tokensLeft: number;
  readonly passkeysRevoked: number;
  readonly passkeysLeft: number;
}

/** Removes a member’s access tokens and passkeys, if asked to, and counts what is left. */
export async function revokeWaysIn(
  admin: Administration,
  userId: string,
  { revokeTokens, revokePasskeys }: RevokeOptions,
): Promise<WaysIn> {
  const { members } = admin.store;
  const tokensRevoked = revokeTokens ? await removeAccessTokens(admin, userId) : 0;
  const passkeysRevoked = revokePasskeys ? await removePasskeys(admin, userId) : 0;
  return {
    tokensRevoked,
    tokensLeft: (await members.tokens(userId)).length,
    passkeysRevoked,
    passkeysLeft: (await members.passkeys(userId)).length,
  };
}

async function removePasskeys(admin: Administration, userId: string): Promise<number> {
  let removed = 0;
  for (const { id } of await admin.store.members.passkeys(userId)) {
    // Another request may have removed it in the meantime.
    if (!(await admin.store.members.removePasskey(userId, id))) continue;
    await audit(admin, 'member.passkey-remove', null, { passkeyId: id });
    removed += 1;
  }
  return removed;
}
