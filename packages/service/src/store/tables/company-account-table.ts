import { type Database, hasRows, lockMembers, statement, text } from '../database.ts';
import { AUTH_ACCOUNT } from './auth-tables.ts';
import { type Access, MEMBER, MEMBER_COLUMNS, type MemberRow, toMember } from './member-row.ts';

export interface NewCompanyAccount {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  /** `oidc:` and the issuer. */
  readonly provider: string;
  readonly subject: string;
  /** Whether the provider has verified that the address is theirs. */
  readonly verified: boolean;
}

/** The accounts of people who sign in with their company’s provider. */
export function companyAccountStore(database: Database) {
  return {
    async companyMember(provider: string, subject: string): Promise<MemberRow | undefined> {
      const [row] = await database.read(
        statement(
          `SELECT ${MEMBER_COLUMNS} FROM member m JOIN auth_user u ON u.id = m.user_id
           JOIN auth_account a ON a."userId" = m.user_id WHERE a."providerId" = ? AND a."accountId" = ?`,
          provider,
          subject,
        ),
      );
      return row && toMember(row);
    },
    /**
     * Creates an account, or links an existing one whose address is verified on both sides. Returns the member’s ID,
     * `undefined` if the address is taken.
     */
    async admitCompany(account: NewCompanyAccount, access: Access, now: number): Promise<string | undefined> {
      const { id, accountId, name, email, provider, subject, verified } = account;
      const isNew = 'NOT EXISTS (SELECT 1 FROM auth_account WHERE "providerId" = ? AND "accountId" = ?)';
      const isFree = 'NOT EXISTS (SELECT 1 FROM auth_user WHERE email = ?)';
      const written = await database.write([
        lockMembers(),
        MEMBER.insert(
          { userId: id, role: access.role, projectRoles: access.projects, joinedAt: now },
          { when: { sql: `${isNew} AND ${isFree}`, values: [provider, subject, email] } },
        ),
        statement(
          `INSERT INTO auth_user (id, name, email, "emailVerified", "twoFactorEnabled")
           SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), ${verified}, false
           WHERE EXISTS (SELECT 1 FROM member WHERE user_id = ?)`,
          id,
          name,
          email,
          id,
        ),
        statement(
          `INSERT INTO auth_account (id, "accountId", "providerId", "userId")
           SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), m.user_id FROM member m
           JOIN auth_user u ON u.id = m.user_id
           WHERE ${verified ? 'u.email = ? AND u."emailVerified"' : 'm.user_id = ?'} AND ${isNew}`,
          accountId,
          subject,
          provider,
          verified ? email : id,
          provider,
          subject,
        ),
        statement(
          "DELETE FROM account_link WHERE kind = 'setup' AND EXISTS (SELECT 1 FROM member WHERE user_id = ?)",
          id,
        ),
        statement(
          `SELECT "userId" AS user_id FROM ${AUTH_ACCOUNT.name} WHERE "providerId" = ? AND "accountId" = ?`,
          provider,
          subject,
        ),
      ]);
      const found = written.at(-1);
      return found?.[0] && hasRows(found) ? text(found[0], 'user_id') : undefined;
    },
    /** Notes that the address is the member’s, so that a verified company account can be linked. */
    async verifyAddress(email: string): Promise<MemberRow | undefined> {
      const [, rows] = await database.write([
        statement('UPDATE auth_user SET "emailVerified" = true WHERE email = ?', email),
        statement(
          `SELECT ${MEMBER_COLUMNS} FROM member m JOIN auth_user u ON u.id = m.user_id WHERE u.email = ?`,
          email,
        ),
      ]);
      return rows?.[0] && toMember(rows[0]);
    },
    async endSessions(userId: string): Promise<void> {
      await database.write([statement('DELETE FROM auth_session WHERE "userId" = ?', userId)]);
    },
  };
}
