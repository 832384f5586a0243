import { hashSecretToken, makeSecretToken } from '../model/secret-token.ts';
import type { TokenRow } from '../store/tables/access-token-table.ts';
import { type Administration, audit, InvalidInput, NotFound, randomId, readLine } from './administration.ts';
import { readLifetimeDays } from './lifetime.ts';

export const ACCESS_TOKEN_PREFIX = 'pst_pat_';
const MAX_NAME_LENGTH = 100;
const MAX_TOKENS = 100;

/** A token for scripts, with the same rights as its member. Its secret is known only at this moment. */
export async function createAccessToken(
  admin: Administration,
  userId: string,
  fields: { readonly name: unknown; readonly expiresInDays?: unknown },
): Promise<{ token: TokenRow; secret: string }> {
  const name = readLine(fields.name, MAX_NAME_LENGTH);
  if (name === undefined)
    throw new InvalidInput('name', `A token’s name has 1 to ${MAX_NAME_LENGTH} characters.`);
  const lifetimeMs = readLifetimeDays(fields.expiresInDays);
  if ((await admin.store.members.tokens(userId)).length >= MAX_TOKENS)
    throw new InvalidInput('name', `A member has at most ${MAX_TOKENS} tokens. Remove one first.`);
  const now = admin.now();
  const secret = makeSecretToken(ACCESS_TOKEN_PREFIX, admin.randomBytes);
  const token = {
    id: randomId('tok_', 16, admin.randomBytes),
    userId,
    name,
    createdAt: now,
    expiresAt: lifetimeMs === undefined ? null : now + lifetimeMs,
  };
  await admin.store.members.addToken({ ...token, hash: hashSecretToken(secret) });
  await audit(admin, 'token.create', null, { tokenId: token.id, name, expiresAt: token.expiresAt });
  return { token: { ...token, lastUsedAt: null }, secret };
}

export async function removeAccessToken(admin: Administration, userId: string, id: string): Promise<void> {
  if (!(await admin.store.members.removeToken(userId, id)))
    throw new NotFound(`You have no access token '${id}'.`);
  await audit(admin, 'token.remove', null, { tokenId: id });
}

/** Revokes every token of a member. Returns how many there were. */
export async function removeAccessTokens(admin: Administration, userId: string): Promise<number> {
  let removed = 0;
  for (const { id } of await admin.store.members.tokens(userId)) {
    // Another request may have removed it in the meantime.
    if (!(await admin.store.members.removeToken(userId, id))) continue;
    await audit(admin, 'token.remove', null, { tokenId: id });
    removed += 1;
  }
  return removed;
}
