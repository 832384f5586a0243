import { integerOrNull, text, textOrNull } from '../columns.ts';
import type { Database } from '../database.ts';
import { rowOf } from '../table-of.ts';
import { AUTH_SESSION } from './auth-tables.ts';

const SESSION = rowOf({
  ...{ id: text, token: text, userAgent: textOrNull, createdAt: text, activeAt: integerOrNull },
});

/** The library keeps the sessions. These are the operations for lists of them. */
export function sessionStore(database: Database) {
  return {
    /** The sessions that have not expired, the most recently active first. */
    async sessions(userId: string, now: number) {
      const rows = await SESSION.findAll(
        database.read,
        `SELECT id, token, "userAgent" AS user_agent, CAST("createdAt" AS TEXT) AS created_at, active_at
         FROM auth_session WHERE "userId" = ? AND "expiresAt" > ?`,
        // The library’s times are ISO text or a timestamp; both compare with ISO text.
        ...[userId, new Date(now).toISOString()],
      );
      const sessions = rows.map(({ userAgent, createdAt: made, activeAt, ...session }) => {
        const createdAt = Date.parse(made);
        return { ...session, userAgent: userAgent ?? '', createdAt, activeAt: activeAt ?? createdAt };
      });
      return sessions.sort((one, other) => other.activeAt - one.activeAt);
    },
    sessionEnd: (userId: string, id: string) => AUTH_SESSION.remove({ userId, id }),
    allSessionsEnd: (userId: string) => AUTH_SESSION.remove({ userId }),
  };
}
