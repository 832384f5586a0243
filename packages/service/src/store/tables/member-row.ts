import type { MemberRole, ProjectRole } from '@postern/contract/dashboard';
import { integer, integerOrNull, json, text } from '../columns.ts';
import type { Row } from '../database.ts';
import { tableOf } from '../table-of.ts';

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

export interface MemberRow extends Access {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly joinedAt: number;
  readonly activeAt: number | null;
  readonly twoFactorEnabled: boolean;
}

/** Of a member `m` and their account `u`. */
export const MEMBER_COLUMNS = `${MEMBER.prefixed('m', 'm_')}, u.name AS member_name, u.email AS email,
  CASE WHEN u."twoFactorEnabled" THEN 1 ELSE 0 END AS two_factor`;

export function toMember(row: Row): MemberRow {
  const member = MEMBER.fromPrefixed(row, 'm_');
  return {
    id: member.userId,
    name: text(row, 'member_name'),
    email: text(row, 'email'),
    role: member.role,
    projects: member.projectRoles,
    joinedAt: member.joinedAt,
    activeAt: member.activeAt,
    twoFactorEnabled: integer(row, 'two_factor') === 1,
  };
}
