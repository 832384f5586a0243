import { type Database, integer, integerOrNull, type Row, statement, text } from '../database.ts';
import { MEMBER_COLUMNS, type MemberRow, toMember } from './member-row.ts';

export interface NewToken {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export type TokenRow = Omit<NewToken, 'hash'> & { readonly lastUsedAt: number | null };

const COLUMNS = 'id, user_id, name, created_at, expires_at, last_used_at';

export function accessTokenStore(database: Database) {
  return {
    async addToken(token: NewToken): Promise<void> {
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
    async tokens(userId: string): Promise<TokenRow[]> {
      const rows = await database.read(
        statement(`SELECT ${COLUMNS} FROM access_token WHERE user_id = ? ORDER BY created_at, id`, userId),
      );
      return rows.map(toToken);
    },
    /** The member behind a token that is neither expired nor removed. */
    async memberByToken(
      hash: string,
      now: number,
    ): Promise<{ token: TokenRow; member: MemberRow } | undefined> {
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
    async touchToken(id: string, now: number): Promise<void> {
      await database.write([statement('UPDATE access_token SET last_used_at = ? WHERE id = ?', now, id)]);
    },
    async removeToken(userId: string, id: string): Promise<boolean> {
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
