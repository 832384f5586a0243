import type { TokenScope } from '@postern/contract/dashboard';
import {
  type Database,
  integer,
  integerOrNull,
  type Row,
  type Statement,
  statement,
  text,
  textOrNull,
} from '../database.ts';
import { type RowOf, tableOf } from '../table-of.ts';
import { MEMBER_COLUMNS, type MemberRow, toMember } from './member-row.ts';

export const ACCESS_TOKEN = tableOf('access_token', {
  id: text,
  userId: text,
  name: text,
  scope: text<TokenScope>,
  onlyProject: textOrNull,
  hash: text,
  createdAt: integer,
  expiresAt: integerOrNull,
  lastUsedAt: integerOrNull,
});

export type NewToken = Omit<RowOf<typeof ACCESS_TOKEN>, 'lastUsedAt'>;

export type TokenRow = Omit<NewToken, 'hash' | 'userId'> & Pick<RowOf<typeof ACCESS_TOKEN>, 'lastUsedAt'>;

export function accessTokenStore(database: Database) {
  return {
    tokenCreation: (token: NewToken): Statement => ACCESS_TOKEN.insert(token),
    async tokens(userId: string): Promise<TokenRow[]> {
      const rows = await database.read(
        statement(
          `SELECT ${ACCESS_TOKEN.list} FROM access_token WHERE user_id = ? ORDER BY created_at, id`,
          userId,
        ),
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
          `SELECT ${ACCESS_TOKEN.prefixed('t', '')}, ${MEMBER_COLUMNS}
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
    tokenRemoval: (userId: string, id: string): Statement =>
      statement('DELETE FROM access_token WHERE user_id = ? AND id = ?', userId, id),
  };
}

function toToken(row: Row): TokenRow {
  const { hash, userId, ...token } = ACCESS_TOKEN.fromRow(row);
  return token;
}
