import type { MemberRole } from '@postern/contract/dashboard';
import { type Database, hasRows, lockMembers, type Row, type Statement, statement } from '../database.ts';
import type { Table } from '../table-of.ts';
import { ACCESS_TOKEN, accessTokenStore } from './access-token-table.ts';
import { accountLinkStore } from './account-link-table.ts';
import { attemptStore } from './attempt-table.ts';
import { AUTH_ACCOUNT, AUTH_PASSKEY, AUTH_SESSION, AUTH_TWO_FACTOR } from './auth-tables.ts';
import { companyAccountStore } from './company-account-table.ts';
import {
  type Access,
  accessOf,
  MEMBER,
  MEMBER_COLUMNS,
  type MemberRow,
  projectRolesText,
  toMember,
} from './member-row.ts';
import { passkeyStore } from './passkey-table.ts';
import { RESET_LINK_PREFIX, resetLinkStore, validResetLink } from './reset-link-table.ts';
import { sessionStore } from './session-table.ts';
import { SIGN_IN_LINK_PREFIX, signInLinkStore } from './sign-in-link-table.ts';

export interface ResetOptions {
  /** The password alone is enough again, and the only way in: passkeys are removed too. */
  readonly dropSecondFactor: boolean;
  /** The link that must still be open; it is used up. */
  readonly link?: { readonly hash: string; readonly now: number } | undefined;
}

export interface NewAccount {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  readonly passwordHash: string;
  /** The role of the account if no link states one. */
  readonly role: MemberRole;
}

export interface LinkClaim {
  readonly kind: 'setup' | 'invite';
  readonly hash: string;
}

export type Admission =
  | { readonly result: 'admitted'; readonly access: Access }
  | { readonly result: 'link-unknown' }
  | { readonly result: 'email-taken' };

const MEMBERS = `SELECT ${MEMBER_COLUMNS} FROM member m JOIN auth_user u ON u.id = m.user_id`;
/** The only owner stays an owner. */
const NOT_LAST_OWNER =
  "(role <> 'owner' OR (SELECT count(*) FROM member o WHERE o.role = 'owner' AND o.user_id <> member.user_id) > 0)";

export type MemberStore = ReturnType<typeof memberStore>;

/** The members who use the dashboard, the links that make their accounts, and their tokens for scripts. */
export function memberStore(database: Database) {
  return {
    async list(): Promise<MemberRow[]> {
      const rows = await database.read(statement(`${MEMBERS} ORDER BY m.joined_at, m.user_id`));
      return rows.map(toMember);
    },
    async find(id: string): Promise<MemberRow | undefined> {
      const rows = await database.read(statement(`${MEMBERS} WHERE m.user_id = ?`, id));
      return rows[0] && toMember(rows[0]);
    },
    async hasAny(): Promise<boolean> {
      const rows = await database.read(statement('SELECT 1 AS found FROM member LIMIT 1'));
      return rows.length > 0;
    },
    /**
     * Creates an account, or returns why not. Among concurrent calls only one creates the first account, and only one
     * can use a link. `link` is the hash of the token to use up, or `null` if none is needed.
     */
    admit: (account: NewAccount, link: LinkClaim | null, now: number) => admit(database, account, link, now),
    /**
     * `last-owner`: nothing was changed, because nobody would be left who can undo it. `changed`: the member’s access
     * was no longer `before`.
     */
    async changeRole(
      id: string,
      { role, projects }: Access,
      before: Access,
    ): Promise<'done' | 'changed' | 'unknown' | 'last-owner'> {
      const keepsOwner = role === 'owner' ? '1 = 1' : NOT_LAST_OWNER;
      const asBefore = "user_id = ? AND role = ? AND coalesce(project_roles, '') = ?";
      const valuesBefore = [id, before.role, projectRolesText(before.projects) ?? ''] as const;
      const [, changed, same, left] = await database.write([
        lockMembers(),
        statement(
          `UPDATE member SET role = ?, project_roles = ? WHERE ${asBefore} AND ${keepsOwner} RETURNING user_id`,
          role,
          projectRolesText(projects),
          ...valuesBefore,
        ),
        statement(`SELECT user_id FROM member WHERE ${asBefore}`, ...valuesBefore),
        statement('SELECT user_id FROM member WHERE user_id = ?', id),
      ]);
      const result = resultOf(changed, left);
      return result === 'last-owner' && same?.length === 0 ? 'changed' : result;
    },
    /** With everything that lets the member in: sessions, password, second factor, passkeys, tokens. */
    remove: (id: string) => remove(database, id),
    async rename(id: string, name: string): Promise<void> {
      await database.write([statement('UPDATE auth_user SET name = ? WHERE id = ?', name, id)]);
    },
    /** Notes that the member is active, in that session if there is one. */
    async touch(id: string, sessionToken: string | null, now: number): Promise<void> {
      await database.write([
        statement('UPDATE member SET active_at = ? WHERE user_id = ?', now, id),
        statement('UPDATE auth_session SET active_at = ? WHERE token = ?', now, sessionToken ?? ''),
      ]);
    },
    /** Ends every session, and forgets trusted devices and links. `false`: nothing changed, because the link is used up. */
    resetPassword: (id: string, passwordHash: string, options: ResetOptions) =>
      resetPassword(database, id, passwordHash, options),
    /** Trusted devices must enter the second factor again, and links for a new password stop working. */
    async revokeTrustAndResetLinks(id: string): Promise<void> {
      await database.write([trustAndResetLinkDeletion(id)]);
    },
    ...accountLinkStore(database),
    ...companyAccountStore(database),
    ...signInLinkStore(database),
    ...resetLinkStore(database),
    ...sessionStore(database),
    ...passkeyStore(database),
    ...accessTokenStore(database),
    ...attemptStore(database),
  };
}

async function resetPassword(
  database: Database,
  id: string,
  passwordHash: string,
  { dropSecondFactor, link }: ResetOptions,
): Promise<boolean> {
  const isOpen = link === undefined ? undefined : validResetLink(link.hash, link.now, id);
  // The new hash is salted, so only the call that set it finds it.
  const isSet = 'EXISTS (SELECT 1 FROM auth_account WHERE "userId" = ? AND password = ?)';
  const whenSet = (sql: string) => statement(`${sql} AND ${isSet}`, id, id, passwordHash);
  const [, changed] = await database.write([
    lockMembers(),
    statement(
      `UPDATE auth_account SET password = ? WHERE "userId" = ? AND "providerId" = 'credential'
         ${isOpen === undefined ? '' : `AND EXISTS (${isOpen.sql})`} RETURNING id`,
      passwordHash,
      id,
      ...(isOpen?.values ?? []),
    ),
    whenSet('DELETE FROM auth_session WHERE "userId" = ?'),
    whenSet(`DELETE FROM auth_verification WHERE value = ? AND ${TRUST_OR_RESET_LINK}`),
    ...(dropSecondFactor
      ? [
          whenSet('DELETE FROM auth_two_factor WHERE "userId" = ?'),
          whenSet('DELETE FROM auth_passkey WHERE "userId" = ?'),
          whenSet('UPDATE auth_user SET "twoFactorEnabled" = false WHERE id = ?'),
        ]
      : []),
  ]);
  return hasRows(changed);
}

async function admit(
  database: Database,
  account: NewAccount,
  link: LinkClaim | null,
  now: number,
): Promise<Admission> {
  const isMember = 'EXISTS (SELECT 1 FROM member WHERE user_id = ?)';
  const [, admitted, , , , taken] = await database.write([
    lockMembers(),
    admission(account, link, now),
    statement(
      `INSERT INTO auth_user (id, name, email, "emailVerified", "twoFactorEnabled")
       SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), false, false WHERE ${isMember}`,
      account.id,
      account.name,
      account.email,
      account.id,
    ),
    statement(
      `INSERT INTO auth_account (id, "accountId", "providerId", "userId", password)
       SELECT CAST(? AS TEXT), CAST(? AS TEXT), 'credential', CAST(? AS TEXT), CAST(? AS TEXT) WHERE ${isMember}`,
      account.accountId,
      account.id,
      account.id,
      account.passwordHash,
      account.id,
    ),
    statement(
      `DELETE FROM account_link WHERE (hash = ? OR kind = 'setup') AND ${isMember}`,
      link?.hash ?? '',
      account.id,
    ),
    statement('SELECT id FROM auth_user WHERE email = ? AND id <> ?', account.email, account.id),
  ]);
  const row = admitted?.[0];
  if (row) return { result: 'admitted', access: accessOf(MEMBER.fromRow(row)) };
  return { result: hasRows(taken) ? 'email-taken' : 'link-unknown' };
}

function admission(account: NewAccount, link: LinkClaim | null, now: number): Statement {
  const free = 'NOT EXISTS (SELECT 1 FROM auth_user WHERE email = ?)';
  if (link === null) {
    return MEMBER.insert(
      { userId: account.id, role: account.role, projectRoles: {}, joinedAt: now },
      { when: { sql: free, values: [account.email] }, suffix: `RETURNING ${MEMBER.list}` },
    );
  }
  const first = link.kind === 'setup' ? 'AND NOT EXISTS (SELECT 1 FROM member)' : '';
  return statement(
    `INSERT INTO member (user_id, role, project_roles, joined_at)
     SELECT CAST(? AS TEXT), role, project_roles, CAST(? AS BIGINT) FROM account_link
     WHERE hash = ? AND kind = ? AND expires_at > ? AND ${free} ${first} RETURNING ${MEMBER.list}`,
    account.id,
    now,
    link.hash,
    link.kind,
    now,
    account.email,
  );
}

/** The library keeps a trusted device as a verification of its own kind, with the member as its value. */
const TRUST_OR_RESET_LINK = `(identifier LIKE 'trust-device-%' OR identifier LIKE '${RESET_LINK_PREFIX}%' OR identifier LIKE '${SIGN_IN_LINK_PREFIX}%')`;

function trustAndResetLinkDeletion(id: string): Statement {
  return statement(`DELETE FROM auth_verification WHERE value = ? AND ${TRUST_OR_RESET_LINK}`, id);
}

/** The tables whose rows belong to a member. What a member passed on in the review queue expires. */
export const REMOVED_WITH_MEMBER = [AUTH_SESSION, AUTH_ACCOUNT, AUTH_TWO_FACTOR, AUTH_PASSKEY, ACCESS_TOKEN];

/** The column with a member’s ID, if the table has one. */
export function memberColumn({ columns }: Table<unknown>): string | undefined {
  return ['userId', 'user_id', 'member_id'].find((name) => columns.has(name));
}

async function remove(database: Database, id: string): Promise<'done' | 'unknown' | 'last-owner'> {
  const gone = 'NOT EXISTS (SELECT 1 FROM member WHERE user_id = ?)';
  const drop = (table: string, column: string) =>
    statement(`DELETE FROM ${table} WHERE "${column}" = ? AND ${gone}`, id, id);
  const [, removed, left] = await database.write([
    lockMembers(),
    statement(`DELETE FROM member WHERE user_id = ? AND ${NOT_LAST_OWNER} RETURNING user_id`, id),
    statement('SELECT user_id FROM member WHERE user_id = ?', id),
    ...REMOVED_WITH_MEMBER.map((table) => drop(table.name, memberColumn(table) ?? '')),
    drop('auth_user', 'id'),
    trustAndResetLinkDeletion(id),
  ]);
  return resultOf(removed, left);
}

function resultOf(changed: Row[] | undefined, left: Row[] | undefined): 'done' | 'unknown' | 'last-owner' {
  if (hasRows(changed)) return 'done';
  return hasRows(left) ? 'last-owner' : 'unknown';
}
