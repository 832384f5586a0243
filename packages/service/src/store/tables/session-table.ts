import { type Database, integer, integerOrNull, type Row, statement, text, textOrNull } from '../database.ts';

/** The library keeps the sessions and the passkeys. These are the operations for lists of them. */
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
    sessionEnd: (userId: string, id: string) =>
      statement('DELETE FROM auth_session WHERE "userId" = ? AND id = ?', userId, id),
    allSessionsEnd: (userId: string) => statement('DELETE FROM auth_session WHERE "userId" = ?', userId),
    async passkeys(userId: string) {
      const rows = await database.read(
        statement(
          `SELECT id, name, CAST("createdAt" AS TEXT) AS created_at,
             CASE WHEN "backedUp" THEN 1 ELSE 0 END AS synced
           FROM auth_passkey WHERE "userId" = ? ORDER BY "createdAt", id`,
          userId,
        ),
      );
      return rows.map(toPasskey);
    },
    passkeyRename: (userId: string, id: string, name: string) =>
      statement('UPDATE auth_passkey SET name = ? WHERE "userId" = ? AND id = ?', name, userId, id),
    passkeyRemoval: (userId: string, id: string) =>
      statement('DELETE FROM auth_passkey WHERE "userId" = ? AND id = ?', userId, id),
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

function toPasskey(row: Row) {
  return {
    id: text(row, 'id'),
    name: textOrNull(row, 'name') ?? 'Passkey',
    createdAt: Date.parse(textOrNull(row, 'created_at') ?? '') || 0,
    synced: integer(row, 'synced') === 1,
  };
}
