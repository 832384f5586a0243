import { integerOrNull, text, textOrNull } from '../columns.ts';
import { type Database, type Row, statement } from '../database.ts';
import { AUTH_SESSION } from './auth-tables.ts';

/** The library keeps the sessions. These are the operations for lists of them. */
export function sessionStore(database: Database) {
  return {
    /** The sessions that have not expired, the most recently active first. */
    async sessions(userId: string, now: number) {
      const rows = await database.read(
        statement(
          `SELECT id, token, "userAgent" AS user_agent, CAST("createdAt" AS TEXT) AS created_at, active_at
           FROM auth_session WHERE "userId" = ? AND "expiresAt" > ?`,
          userId,
          // The library’s times are ISO text or a timestamp; both compare with ISO text.
          new Date(now).toISOString(),
        ),
      );
      return rows.map(toSession).sort((one, other) => other.activeAt - one.activeAt);
    },
    sessionEnd: (userId: string, id: string) => AUTH_SESSION.remove({ userId, id }),
    allSessionsEnd: (userId: string) => AUTH_SESSION.remove({ userId }),
  };
}

function toSession(row: Row) {
  const createdAt = Date.parse(text(row, 'created_at'));
  return {
    id: text(row, 'id'),
    token: text(row, 'token'),
    userAgent: textOrNull(row, 'user_agent') ?? '',
    createdAt,
    activeAt: integerOrNull(row, 'active_at') ?? createdAt,
  };
}
