import { type Database, type Statement, statement, text } from '../database.ts';
import type { PeopleStore } from '../people-store.ts';

/** What the identifier of such a link starts with, in the table that the sign-in library has for one-time values. */
export const RESET_LINK = 'password-reset-';

export function resetLinkTable(database: Database): Pick<PeopleStore, 'addResetLink' | 'resetLinkOwner'> {
  return {
    async addResetLink({ id, hash, userId, createdAt, expiresAt }) {
      const created = new Date(createdAt).toISOString();
      await database.write([
        statement(
          `INSERT INTO auth_verification (id, identifier, value, "expiresAt", "createdAt", "updatedAt")
           VALUES (?, ?, ?, ?, ?, ?)`,
          id,
          RESET_LINK + hash,
          userId,
          new Date(expiresAt).toISOString(),
          created,
          created,
        ),
      ]);
    },
    async resetLinkOwner(hash, now) {
      const [row] = await database.read(openResetLink(hash, now));
      return row && text(row, 'value');
    },
  };
}

/** Finds the link if it can still be used, by that member or by anybody. */
export function openResetLink(hash: string, now: number, userId?: string): Statement {
  return statement(
    `SELECT value FROM auth_verification
     WHERE identifier = ? AND "expiresAt" > ?${userId === undefined ? '' : ' AND value = ?'}`,
    RESET_LINK + hash,
    new Date(now).toISOString(),
    ...(userId === undefined ? [] : [userId]),
  );
}
