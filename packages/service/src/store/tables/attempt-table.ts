import { type Database, integer, statement } from '../database.ts';
import type { PeopleStore } from '../people-store.ts';

type Attempts = Pick<PeopleStore, 'countAttempt' | 'forgetAttempts' | 'tidy'>;

export function attemptTable(database: Database): Attempts {
  return {
    async countAttempt(name, windowMs, now) {
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
    async forgetAttempts(name) {
      await database.write([statement('DELETE FROM sign_in_attempt WHERE name = ?', name)]);
    },
    async tidy(now) {
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
