import { type Database, statement, text } from '../database.ts';
import { AUTH_VERIFICATION } from './auth-tables.ts';
import type { NewResetLink } from './reset-link-table.ts';

/** Prefix of a sign-in link’s identifier in better-auth’s table of verifications. */
export const SIGN_IN_LINK_PREFIX = 'sign-in-link-';

/** Links that sign a member in once, whatever the settings say. Only the command line makes them. */
export function signInLinkStore(database: Database) {
  return {
    async addSignInLink({ id, hash, userId, createdAt, expiresAt }: NewResetLink): Promise<void> {
      const created = new Date(createdAt).toISOString();
      await database.write([
        AUTH_VERIFICATION.insert({
          id,
          identifier: SIGN_IN_LINK_PREFIX + hash,
          value: userId,
          expiresAt: new Date(expiresAt).toISOString(),
          createdAt: created,
          updatedAt: created,
        }),
      ]);
    },
    /** Uses the link up. Returns whom it signs in, to one caller only. */
    async claimSignInLink(hash: string, now: number): Promise<string | undefined> {
      const [rows] = await database.write([
        statement(
          'DELETE FROM auth_verification WHERE identifier = ? AND "expiresAt" > ? RETURNING value',
          SIGN_IN_LINK_PREFIX + hash,
          new Date(now).toISOString(),
        ),
      ]);
      return rows?.[0] && text(rows[0], 'value');
    },
  };
}
