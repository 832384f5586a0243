import type { MemberRole, ProjectRole } from '@postern/contract/dashboard';
import { integer, integerOrNull, json, type Row, text } from '../database.ts';

/** What a member may do: a role everywhere, and other roles in some projects. */
export interface Access {
  readonly role: MemberRole;
  readonly projects: Readonly<Record<string, ProjectRole>>;
}

export interface MemberRow extends Access {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly joinedAt: number;
  readonly activeAt: number | null;
  readonly twoFactorEnabled: boolean;
  readonly passkeys: number;
}

/** Of a member `m` and their account `u`. */
export const MEMBER_COLUMNS = `u.id AS member_id, u.name AS member_name, u.email AS email, m.role AS role,
  m.project_roles AS project_roles, m.joined_at AS joined_at, m.active_at AS active_at,
  CASE WHEN u."twoFactorEnabled" THEN 1 ELSE 0 END AS two_factor,
  (SELECT count(*) FROM auth_passkey p WHERE p."userId" = u.id) AS passkeys`;

export function toMember(row: Row): MemberRow {
  return {
    id: text(row, 'member_id'),
    name: text(row, 'member_name'),
    email: text(row, 'email'),
    ...accessOf(row),
    joinedAt: integer(row, 'joined_at'),
    activeAt: integerOrNull(row, 'active_at'),
    twoFactorEnabled: integer(row, 'two_factor') === 1,
    passkeys: integer(row, 'passkeys'),
  };
}

/** From the columns `role` and `project_roles` of a member or an invitation. */
export function accessOf(row: Row): Access {
  return {
    role: text(row, 'role') as MemberRole,
    projects: row.project_roles === null ? {} : json<Access['projects']>(row, 'project_roles'),
  };
}

export function projectRolesText(projects: Access['projects']): string | null {
  return Object.keys(projects).length === 0 ? null : JSON.stringify(projects);
}
