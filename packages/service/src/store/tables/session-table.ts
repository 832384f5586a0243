import { type Database, integerOrNull, type Row, statement, text, textOrNull } from '../database.ts';
import type { PeopleStore, SessionRow } from '../people-store.ts';

/** The library keeps the sessions. These are the operations for lists of them. */
export function sessionTable(database: Database): Pick<PeopleStore, 'sessions' | 'endSession'> {
  return {
    async sessions(userId, now) {
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
    async endSession(userId, id) {
      const [rows] = await database.write([
        statement('DELETE FROM auth_session WHERE "userId" = ? AND id = ? RETURNING id', userId, id),
      ]);
      return (rows?.length ?? 0) > 0;
    },
  };
}

function toSession(row: Row): SessionRow {
  const createdAt = Date.parse(text(row, 'created_at'));
  return {
    id: text(row, 'id'),
    token: text(row, 'token'),
    userAgent: textOrNull(row, 'user_agent') ?? '',
    createdAt,
    activeAt: integerOrNull(row, 'active_at') ?? createdAt,
  };
}
