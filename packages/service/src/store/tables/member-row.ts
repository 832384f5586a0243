import type { MemberRole, ProjectRole } from '@postern/contract/dashboard';
import { flag, integer, integerOrNull, json, text } from '../columns.ts';
import type { Row } from '../database.ts';
import { type RowOf, rowOf, tableOf } from '../table-of.ts';

/** What a member may do: a role everywhere, and other roles in some projects. */
export interface Access {
  readonly role: MemberRole;
  readonly projects: Readonly<Record<string, ProjectRole>>;
}

/** The column is `null` if there are no other roles. */
export const projectRoles = Object.assign(
  (row: Row, column: string) => (row[column] === null ? {} : json<Access['projects']>(row, column)),
  {
    write: (projects: Access['projects']) =>
      Object.keys(projects).length === 0 ? null : JSON.stringify(projects),
  },
);

export const MEMBER = tableOf('member', {
  userId: text,
  role: text<MemberRole>,
  joinedAt: integer,
  projectRoles,
  activeAt: integerOrNull,
});

const WITH_ACCOUNT = rowOf({
  id: text,
  name: text,
  email: text,
  role: text<MemberRole>,
  projects: projectRoles,
  joinedAt: integer,
  activeAt: integerOrNull,
  twoFactorEnabled: flag,
});

export type MemberRow = RowOf<typeof WITH_ACCOUNT>;
export const toMember = WITH_ACCOUNT.fromRow;

/** Of a member `m` and their account `u`. */
export const MEMBER_COLUMNS = `u.id, u.name, u.email, m.role, m.project_roles AS projects, m.joined_at, m.active_at,
  CASE WHEN u."twoFactorEnabled" THEN 1 ELSE 0 END AS two_factor_enabled`;
