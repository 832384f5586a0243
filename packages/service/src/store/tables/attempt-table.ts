import { type Database, integer, type Statement, statement, text } from '../database.ts';
import { tableOf } from '../table-of.ts';

/** Attempts to sign in, counted in windows that begin with the first. */
export const SIGN_IN_ATTEMPT = tableOf('sign_in_attempt', { name: text, count: integer, resetsAt: integer });

const attemptRemoval = (name: string): Statement =>
  statement('DELETE FROM sign_in_attempt WHERE name = ?', name);

export function attemptStore(database: Database) {
  return {
    /** Counts one attempt and returns how many there were in the window, which began with the first one. */
    async countAttempt(
      name: string,
      windowMs: number,
      now: number,
    ): Promise<{ count: number; resetsAt: number }> {
      const [rows] = await database.write([
        statement(
          `INSERT INTO sign_in_attempt (name, count, resets_at) VALUES (?, 1, ?)
           ON CONFLICT (name) DO UPDATE SET
             count = CASE WHEN sign_in_attempt.resets_at <= ? THEN 1 ELSE sign_in_attempt.count + 1 END,
             resets_at = CASE WHEN sign_in_attempt.resets_at <= ? THEN excluded.resets_at
               ELSE sign_in_attempt.resets_at END
           RETURNING count, resets_at`,
          name,
          now + windowMs,
          now,
          now,
        ),
      ]);
      const row = rows?.[0];
      if (!row) throw new Error('An attempt was not counted');
      return { count: integer(row, 'count'), resetsAt: integer(row, 'resets_at') };
    },
    /** Takes one back that came to nothing. */
    async uncountAttempt(name: string): Promise<void> {
      await database.write([
        statement('UPDATE sign_in_attempt SET count = count - 1 WHERE name = ? AND count > 0', name),
      ]);
    },
    attemptRemoval,
    async forgetAttempts(name: string): Promise<void> {
      await database.write([attemptRemoval(name)]);
    },
    /** Deletes expired attempts, links and sessions. */
    async tidy(now: number): Promise<void> {
      // The library’s times are ISO text or a timestamp; both compare with ISO text.
      const moment = new Date(now).toISOString();
      await database.write([
        statement('DELETE FROM sign_in_attempt WHERE resets_at <= ?', now),
        statement('DELETE FROM account_link WHERE expires_at <= ?', now),
        statement('DELETE FROM auth_session WHERE "expiresAt" <= ?', moment),
        statement('DELETE FROM auth_verification WHERE "expiresAt" <= ?', moment),
      ]);
    },
  };
}
