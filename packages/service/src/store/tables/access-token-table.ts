import type { TokenScope } from '@postern/contract/dashboard';
import { integer, integerOrNull, text, textOrNull } from '../columns.ts';
import { type Database, type Statement, statement } from '../database.ts';
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
    tokens: async (userId: string): Promise<TokenRow[]> =>
      (await ACCESS_TOKEN.findAll(database.read, { userId }, 'ORDER BY created_at, id')).map(toToken),
    /** The member behind a token that is neither expired nor removed. */
    async memberByToken(
      hash: string,
      now: number,
    ): Promise<{ token: TokenRow; member: MemberRow } | undefined> {
      const [row] = await database.read(
        statement(
          `SELECT ${ACCESS_TOKEN.prefixed('t', 't_')}, ${MEMBER_COLUMNS}
           FROM access_token t JOIN member m ON m.user_id = t.user_id JOIN auth_user u ON u.id = t.user_id
           WHERE t.hash = ? AND (t.expires_at IS NULL OR t.expires_at > ?)`,
          ...[hash, now],
        ),
      );
      return row && { token: toToken(ACCESS_TOKEN.fromPrefixed(row, 't_')), member: toMember(row) };
    },
    async touchToken(id: string, now: number): Promise<void> {
      await database.write([ACCESS_TOKEN.update({ id }, { lastUsedAt: now })]);
    },
    tokenRemoval: (userId: string, id: string): Statement => ACCESS_TOKEN.remove({ userId, id }),
  };
}

function toToken({ hash, userId, ...token }: RowOf<typeof ACCESS_TOKEN>): TokenRow {
  return token;
}
