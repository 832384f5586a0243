import { type Database, integer, integerOrNull, type Row, statement, text } from '../database.ts';
import type { PeopleStore, TokenRow } from '../people-store.ts';
import { MEMBER_COLUMNS, toMember } from './member-columns.ts';

type AccessTokens = Pick<PeopleStore, 'addToken' | 'tokens' | 'memberByToken' | 'touchToken' | 'removeToken'>;

const COLUMNS = 'id, user_id, name, created_at, expires_at, last_used_at';

export function accessTokenTable(database: Database): AccessTokens {
  return {
    async addToken(token) {
      await database.write([
        statement(
          `INSERT INTO access_token (id, user_id, name, hash, created_at, expires_at, last_used_at)
           VALUES (?, ?, ?, ?, ?, ?, NULL)`,
          token.id,
          token.userId,
          token.name,
          token.hash,
          token.createdAt,
          token.expiresAt,
        ),
      ]);
    },
    async tokens(userId) {
      const rows = await database.read(
        statement(`SELECT ${COLUMNS} FROM access_token WHERE user_id = ? ORDER BY created_at, id`, userId),
      );
      return rows.map(toToken);
    },
    async memberByToken(hash, now) {
      const rows = await database.read(
        statement(
          `SELECT t.id AS id, t.user_id AS user_id, t.name AS name, t.created_at AS created_at,
             t.expires_at AS expires_at, t.last_used_at AS last_used_at,
             ${MEMBER_COLUMNS}
           FROM access_token t JOIN member m ON m.user_id = t.user_id JOIN auth_user u ON u.id = t.user_id
           WHERE t.hash = ? AND (t.expires_at IS NULL OR t.expires_at > ?)`,
          hash,
          now,
        ),
      );
      const row = rows[0];
      if (!row) return undefined;
      return { token: toToken(row), member: toMember(row) };
    },
    async touchToken(id, now) {
      await database.write([statement('UPDATE access_token SET last_used_at = ? WHERE id = ?', now, id)]);
    },
    async removeToken(userId, id) {
      const [rows] = await database.write([
        statement('DELETE FROM access_token WHERE user_id = ? AND id = ? RETURNING id', userId, id),
      ]);
      return (rows?.length ?? 0) > 0;
    },
  };
}

function toToken(row: Row): TokenRow {
  return {
    id: text(row, 'id'),
    userId: text(row, 'user_id'),
    name: text(row, 'name'),
    createdAt: integer(row, 'created_at'),
    expiresAt: integerOrNull(row, 'expires_at'),
    lastUsedAt: integerOrNull(row, 'last_used_at'),
  };
}
