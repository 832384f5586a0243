import { type Database, type Row, type Statement, statement } from '../database.ts';
import type { AdmitOutcome, LinkClaim, NewAccount, PeopleStore, ResetOptions } from '../people-store.ts';
import { accessTokenTable } from './access-token-table.ts';
import { accountLinkTable } from './account-link-table.ts';
import { attemptTable } from './attempt-table.ts';
import { accessOf, MEMBER_COLUMNS, projectRolesText, toMember } from './member-columns.ts';
import { passkeyTable } from './passkey-table.ts';
import { openResetLink, RESET_LINK, resetLinkTable } from './reset-link-table.ts';
import { sessionTable } from './session-table.ts';

const MEMBERS = `SELECT ${MEMBER_COLUMNS} FROM member m JOIN auth_user u ON u.id = m.user_id`;
/** The only owner stays an owner. */
const NOT_LAST_OWNER =
  "(role <> 'owner' OR (SELECT count(*) FROM member o WHERE o.role = 'owner' AND o.user_id <> member.user_id) > 0)";

export function peopleTable(database: Database): PeopleStore {
  return {
    async members() {
      const rows = await database.read(statement(`${MEMBERS} ORDER BY m.joined_at, m.user_id`));
      return rows.map(toMember);
    },
    async member(id) {
      const rows = await database.read(statement(`${MEMBERS} WHERE m.user_id = ?`, id));
      return rows[0] && toMember(rows[0]);
    },
    async hasMembers() {
      const rows = await database.read(statement('SELECT 1 AS found FROM member LIMIT 1'));
      return rows.length > 0;
    },
    admit: (account, link, now) => admit(database, account, link, now),
    async changeRole(id, { role, projects }, before) {
      const keepsOwner = role === 'owner' ? '1 = 1' : NOT_LAST_OWNER;
      const asBefore = "user_id = ? AND role = ? AND coalesce(project_roles, '') = ?";
      const known = [id, before.role, projectRolesText(before.projects) ?? ''] as const;
      const [, changed, same, left] = await database.write([
        turn(),
        statement(
          `UPDATE member SET role = ?, project_roles = ? WHERE ${asBefore} AND ${keepsOwner} RETURNING user_id`,
          role,
          projectRolesText(projects),
          ...known,
        ),
        statement(`SELECT user_id FROM member WHERE ${asBefore}`, ...known),
        statement('SELECT user_id FROM member WHERE user_id = ?', id),
      ]);
      const outcome = outcomeOf(changed, left);
      return outcome === 'last-owner' && same?.length === 0 ? 'changed' : outcome;
    },
    remove: (id) => remove(database, id),
    async rename(id, name) {
      await database.write([statement('UPDATE auth_user SET name = ? WHERE id = ?', name, id)]);
    },
    async touch(id, sessionToken, now) {
      await database.write([
        statement('UPDATE member SET active_at = ? WHERE user_id = ?', now, id),
        statement('UPDATE auth_session SET active_at = ? WHERE token = ?', now, sessionToken ?? ''),
      ]);
    },
    resetPassword: (id, passwordHash, options) => resetPassword(database, id, passwordHash, options),
    async distrustDevices(id) {
      await database.write([untrustDevices(id)]);
    },
    ...accountLinkTable(database),
    ...resetLinkTable(database),
    ...sessionTable(database),
    ...passkeyTable(database),
    ...accessTokenTable(database),
    ...attemptTable(database),
  };
}

async function resetPassword(
  database: Database,
  id: string,
  passwordHash: string,
  { dropSecondFactor, link }: ResetOptions,
): Promise<boolean> {
  const isOpen = link === undefined ? undefined : openResetLink(link.hash, link.now, id);
  // The new hash is salted, so only the call that set it finds it.
  const isSet = 'EXISTS (SELECT 1 FROM auth_account WHERE "userId" = ? AND password = ?)';
  const whenSet = (sql: string) => statement(`${sql} AND ${isSet}`, id, id, passwordHash);
  const [, changed] = await database.write([
    turn(),
    statement(
      `UPDATE auth_account SET password = ? WHERE "userId" = ? AND "providerId" = 'credential'
         ${isOpen === undefined ? '' : `AND EXISTS (${isOpen.sql})`} RETURNING id`,
      passwordHash,
      id,
      ...(isOpen?.values ?? []),
    ),
    whenSet('DELETE FROM auth_session WHERE "userId" = ?'),
    whenSet(`DELETE FROM auth_verification WHERE value = ? AND ${DEVICE_OR_RESET}`),
    ...(dropSecondFactor
      ? [
          whenSet('DELETE FROM auth_two_factor WHERE "userId" = ?'),
          whenSet('DELETE FROM auth_passkey WHERE "userId" = ?'),
          whenSet('UPDATE auth_user SET "twoFactorEnabled" = false WHERE id = ?'),
        ]
      : []),
  ]);
  return (changed?.length ?? 0) > 0;
}

/** Every change of members writes this row first, so that changes are serialised on both back ends. */
export function turn(): Statement {
  return statement(
    `INSERT INTO secret (name, value) VALUES ('member-turn', '')
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
}

async function admit(
  database: Database,
  account: NewAccount,
  link: LinkClaim | null,
  now: number,
): Promise<AdmitOutcome> {
  const isMember = 'EXISTS (SELECT 1 FROM member WHERE user_id = ?)';
  const [, admitted, , , , taken] = await database.write([
    turn(),
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
  if (row) return { outcome: 'admitted', access: accessOf(row) };
  return { outcome: (taken?.length ?? 0) > 0 ? 'email-taken' : 'link-unknown' };
}

function admission(account: NewAccount, link: LinkClaim | null, now: number): Statement {
  const free = 'NOT EXISTS (SELECT 1 FROM auth_user WHERE email = ?)';
  if (link === null) {
    return statement(
      `INSERT INTO member (user_id, role, joined_at)
       SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT) WHERE ${free} RETURNING role, project_roles`,
      account.id,
      account.role,
      now,
      account.email,
    );
  }
  const first = link.kind === 'setup' ? 'AND NOT EXISTS (SELECT 1 FROM member)' : '';
  return statement(
    `INSERT INTO member (user_id, role, project_roles, joined_at)
     SELECT CAST(? AS TEXT), role, project_roles, CAST(? AS BIGINT) FROM account_link
     WHERE hash = ? AND kind = ? AND expires_at > ? AND ${free} ${first} RETURNING role, project_roles`,
    account.id,
    now,
    link.hash,
    link.kind,
    now,
    account.email,
  );
}

/** The library keeps a trusted device as a verification of its own kind, with the member as its value. */
const DEVICE_OR_RESET = `(identifier LIKE 'trust-device-%' OR identifier LIKE '${RESET_LINK}%')`;

function untrustDevices(id: string): Statement {
  return statement(`DELETE FROM auth_verification WHERE value = ? AND ${DEVICE_OR_RESET}`, id);
}

async function remove(database: Database, id: string): Promise<'done' | 'unknown' | 'last-owner'> {
  const gone = 'NOT EXISTS (SELECT 1 FROM member WHERE user_id = ?)';
  const drop = (table: string, column: string) =>
    statement(`DELETE FROM ${table} WHERE ${column} = ? AND ${gone}`, id, id);
  const [, removed, left] = await database.write([
    turn(),
    statement(`DELETE FROM member WHERE user_id = ? AND ${NOT_LAST_OWNER} RETURNING user_id`, id),
    statement('SELECT user_id FROM member WHERE user_id = ?', id),
    drop('auth_session', '"userId"'),
    drop('auth_account', '"userId"'),
    drop('auth_two_factor', '"userId"'),
    drop('auth_passkey', '"userId"'),
    drop('access_token', 'user_id'),
    drop('saved_view', 'member_id'),
    drop('auth_user', 'id'),
    untrustDevices(id),
  ]);
  return outcomeOf(removed, left);
}

function outcomeOf(changed: Row[] | undefined, left: Row[] | undefined): 'done' | 'unknown' | 'last-owner' {
  if ((changed?.length ?? 0) > 0) return 'done';
  return (left?.length ?? 0) > 0 ? 'last-owner' : 'unknown';
}
