import { type Database, type Statement, statement, text } from '../database.ts';
import { AUTH_VERIFICATION } from './auth-tables.ts';

/** Prefix of a reset link’s identifier in better-auth’s table of verifications. */
export const RESET_LINK_PREFIX = 'password-reset-';

/** A link that sets a member’s password once. */
export interface NewResetLink {
  readonly id: string;
  readonly hash: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export function resetLinkStore(database: Database) {
  return {
    async addResetLink({ id, hash, userId, createdAt, expiresAt }: NewResetLink): Promise<void> {
      const created = new Date(createdAt).toISOString();
      await database.write([
        AUTH_VERIFICATION.insert({
          id,
          identifier: RESET_LINK_PREFIX + hash,
          value: userId,
          expiresAt: new Date(expiresAt).toISOString(),
          createdAt: created,
          updatedAt: created,
        }),
      ]);
    },
    /** The member whose password the link can set. */
    async resetLinkOwner(hash: string, now: number): Promise<string | undefined> {
      const [row] = await database.read(validResetLink(hash, now));
      return row && text(row, 'value');
    },
  };
}

/** The link, if it is still valid; with `userId`, only if it is that member’s. */
export function validResetLink(hash: string, now: number, userId?: string): Statement {
  return statement(
    `SELECT value FROM auth_verification
     WHERE identifier = ? AND "expiresAt" > ?${userId === undefined ? '' : ' AND value = ?'}`,
    RESET_LINK_PREFIX + hash,
    new Date(now).toISOString(),
    ...(userId === undefined ? [] : [userId]),
  );
}
