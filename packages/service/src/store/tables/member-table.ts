import {
  type Database,
  lockMembers,
  mustHold,
  type SqlValue,
  type Statement,
  statement,
} from '../database.ts';
import type { Table } from '../table-of.ts';
import { ACCESS_TOKEN, accessTokenStore } from './access-token-table.ts';
import { ACCOUNT_LINK, accountLinkStore } from './account-link-table.ts';
import { AUTH_ACCOUNT, AUTH_SESSION, AUTH_TWO_FACTOR, AUTH_USER, AUTH_VERIFICATION } from './auth-tables.ts';
import { COUNTER } from './counter-table.ts';
import { type Access, MEMBER, MEMBER_COLUMNS, type MemberRow, toMember } from './member-row.ts';
import { sessionStore } from './session-table.ts';

/** How a member signs in: with a password, or with the company’s provider. */
type SignInAccount =
  | { readonly passwordHash: string }
  /** `provider`: `oidc:` and the issuer. */
  | { readonly provider: string; readonly subject: string };

export interface NewMember extends Access {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  /** Whether the address is known to be theirs. */
  readonly verified: boolean;
  readonly account: SignInAccount;
}

const MEMBERS = `SELECT ${MEMBER_COLUMNS} FROM member m JOIN auth_user u ON u.id = m.user_id`;

export type MemberStore = ReturnType<typeof memberStore>;

/** The members who use the dashboard, the links that let them in, and their tokens for scripts. */
export function memberStore(database: Database) {
  const members = async (condition: string, ...values: SqlValue[]): Promise<MemberRow[]> => {
    const rows = await database.read(statement(`${MEMBERS} ${condition}`, ...values));
    return rows.map(toMember);
  };
  return {
    list: () => members('ORDER BY m.joined_at, m.user_id'),
    find: async (id: string) => (await members('WHERE m.user_id = ?', id))[0],
    findByEmail: async (email: string) => (await members('WHERE u.email = ?', email))[0],
    /** The member whom the company’s provider names so. */
    findByAccount: async (provider: string, subject: string) =>
      (
        await members(
          'JOIN auth_account a ON a."userId" = m.user_id WHERE a."providerId" = ? AND a."accountId" = ?',
          ...[provider, subject],
        )
      )[0],
    /** Whether the member has a password, and does not only come with the company’s sign-in. */
    async hasPassword(id: string): Promise<boolean> {
      return (await AUTH_ACCOUNT.find(database.read, byPassword(id))) !== undefined;
    },
    async isVerified(id: string): Promise<boolean> {
      return (await AUTH_USER.find(database.read, { id }, 'AND "emailVerified"')) !== undefined;
    },
    async hasAny(): Promise<boolean> {
      return (await MEMBER.find(database.read, {}, 'LIMIT 1')) !== undefined;
    },
    creation,
    /** The first account of all. */
    firstCreation: (member: NewMember, now: number): Statement[] => [
      lockMembers(),
      mustHold('NOT EXISTS (SELECT 1 FROM member)'),
      ...creation(member, now),
    ],
    accountCreation,
    accessChange,
    /** With everything that lets the member in: sessions, password, second factor, tokens, links. */
    removal: (id: string): Statement[] => [
      lockMembers(),
      mustHold(NOT_LAST_OWNER, id),
      ...REMOVED_WITH_MEMBER.map((table) =>
        statement(`DELETE FROM ${table.name} WHERE "${memberColumn(table)}" = ?`, id),
      ),
      AUTH_USER.remove({ id }),
      ...distrust(id),
    ],
    rename: (id: string, name: string): Statement => AUTH_USER.update({ id }, { name }),
    /** Notes that the address is the member’s, so that a verified company account can be linked. */
    addressVerification: (id: string): Statement =>
      statement('UPDATE auth_user SET "emailVerified" = true WHERE id = ?', id),
    /** Notes that the member is active, in that session if there is one. */
    async touch(id: string, sessionToken: string | null, now: number): Promise<void> {
      await database.write([
        MEMBER.update({ userId: id }, { activeAt: now }),
        AUTH_SESSION.update({ token: sessionToken ?? '' }, { active_at: now }),
      ]);
    },
    /** Ends every session, and forgets trusted devices and links. */
    passwordChange: (id: string, passwordHash: string): Statement[] => [
      lockMembers(),
      AUTH_ACCOUNT.update(byPassword(id), { password: passwordHash }),
      AUTH_SESSION.remove({ userId: id }),
      ...distrust(id),
    ],
    /** The password alone is enough again. */
    secondFactorRemoval: (id: string): Statement[] => [
      AUTH_TWO_FACTOR.remove({ userId: id }),
      statement('UPDATE auth_user SET "twoFactorEnabled" = false WHERE id = ?', id),
    ],
    distrust,
    ...accountLinkStore(database),
    ...sessionStore(database),
    ...accessTokenStore(database),
    /** Deletes expired counters, links and sessions. */
    async tidy(now: number): Promise<void> {
      // The library’s times are ISO text or a timestamp; both compare with ISO text.
      const moment = new Date(now).toISOString();
      await database.write([
        COUNTER.remove({}, 'AND resets_at <= ?', now),
        ACCOUNT_LINK.remove({}, 'AND expires_at <= ?', now),
        AUTH_SESSION.remove({}, 'AND "expiresAt" <= ?', moment),
        AUTH_VERIFICATION.remove({}, 'AND "expiresAt" <= ?', moment),
      ]);
    },
  };
}

const byPassword = (userId: string) => ({ userId, providerId: 'credential' });

/** A set-up link stops working with the first member. Ends in a conflict if the address has an account. */
function creation(member: NewMember, now: number): Statement[] {
  const { id, role, projects, name, email, verified } = member;
  return [
    MEMBER.insert({ userId: id, role, projectRoles: projects, joinedAt: now }),
    statement(
      `INSERT INTO auth_user (id, name, email, "emailVerified", "twoFactorEnabled") VALUES (?, ?, ?, ${verified}, false)`,
      ...[id, name, email],
    ),
    ...accountCreation(id, member.accountId, member.account),
    ACCOUNT_LINK.remove({ kind: 'setup' }),
  ];
}

/** Another way in for a member. Two of the same subject cannot exist. */
function accountCreation(userId: string, id: string, account: SignInAccount): Statement[] {
  const insertion = 'INSERT INTO auth_account (id, "accountId", "providerId", "userId", password)';
  if ('passwordHash' in account)
    return [
      statement(`${insertion} VALUES (?, ?, 'credential', ?, ?)`, id, userId, userId, account.passwordHash),
    ];
  const { provider, subject } = account;
  return [
    lockMembers(),
    mustHold(
      'NOT EXISTS (SELECT 1 FROM auth_account WHERE "providerId" = ? AND "accountId" = ?)',
      ...[provider, subject],
    ),
    statement(`${insertion} VALUES (?, ?, ?, ?, NULL)`, id, subject, provider, userId),
  ];
}

/** The member is no owner, or not the only one, so that a member can still change rights. */
const NOT_LAST_OWNER =
  "EXISTS (SELECT 1 FROM member m WHERE m.user_id = ? AND (m.role <> 'owner' OR EXISTS (SELECT 1 FROM member o WHERE o.role = 'owner' AND o.user_id <> m.user_id)))";

/** Of a member whose access has not changed since it was read. */
function accessChange({ id, ...before }: Access & { readonly id: string }, { role, projects }: Access) {
  return [
    lockMembers(),
    MEMBER.mustHave({ userId: id, role: before.role, projectRoles: before.projects }),
    ...(role === 'owner' ? [] : [mustHold(NOT_LAST_OWNER, id)]),
    MEMBER.update({ userId: id }, { role, projectRoles: projects }),
  ];
}

/**
 * Trusted devices must enter the second factor again, and the member’s links stop working. The library keeps a trusted
 * device as a verification of its own kind, with the member as its value.
 */
function distrust(id: string): Statement[] {
  return [
    AUTH_VERIFICATION.remove({ value: id }, "AND identifier LIKE 'trust-device-%'"),
    ACCOUNT_LINK.remove({ userId: id }),
  ];
}

/** The tables whose rows belong to a member. What a member passed on in the review queue expires. */
export const REMOVED_WITH_MEMBER = [
  ...[AUTH_SESSION, AUTH_ACCOUNT, AUTH_TWO_FACTOR, ACCESS_TOKEN, ACCOUNT_LINK, MEMBER],
];

/** The column with a member’s ID, if the table has one. */
export function memberColumn({ columns }: Table<unknown>): string | undefined {
  return ['userId', 'user_id', 'member_id'].find((name) => columns.has(name));
}
