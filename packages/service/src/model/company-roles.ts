import {
  hasRole,
  MEMBER_ROLES,
  type MemberRole,
  PROJECT_ROLES,
  type ProjectRole,
  ROLES,
  type Role,
} from '@postern/contract/dashboard';

/** Who gets which role: people whose claim has that value. */
export interface RoleRule {
  readonly claim: string;
  readonly value: string;
  readonly role: Role;
  /** Only in this project. */
  readonly project: string | undefined;
}

export type Claims = Readonly<Record<string, unknown>>;

const RULE = /^([^=]+)=(.+):([a-z]+)(?:@([A-Za-z0-9_-]{1,64}))?$/;

/** Reads `claim=value:role` or `claim=value:role@project`. `undefined` if it is none. */
export function parseRoleRule(text: string): RoleRule | undefined {
  const [, claim = '', value = '', name = '', project] = RULE.exec(text) ?? [];
  const role = (project === undefined ? ROLES : PROJECT_ROLES).find((one) => one === name);
  return role === undefined ? undefined : { claim: claim.trim(), value: value.trim(), role, project };
}

/** What the claims allow: the highest role of all rules that match, everywhere and in each project. */
export function accessOfClaims(
  rules: readonly RoleRule[],
  claims: Claims,
): { readonly role: MemberRole; readonly projects: Readonly<Record<string, ProjectRole>> } {
  let role: MemberRole = 'none';
  const projects: Record<string, ProjectRole> = {};
  for (const rule of rules) {
    // At some providers people write their own address.
    if (rule.claim === 'email' && claims.email_verified !== true) continue;
    if (!valuesOf(claims, rule.claim).includes(rule.value)) continue;
    if (rule.project === undefined) role = higher(role, rule.role);
    else projects[rule.project] = higher(projects[rule.project] ?? 'none', rule.role) as ProjectRole;
  }
  return role === 'owner' ? { role, projects: {} } : { role, projects: raised(role, projects) };
}

/** A role in a project replaces the role everywhere, so a lower one must not take rights away. */
function raised(role: MemberRole, projects: Record<string, ProjectRole>): Record<string, ProjectRole> {
  return Object.fromEntries(
    Object.entries(projects).filter(([, own]) => MEMBER_ROLES.indexOf(own) > MEMBER_ROLES.indexOf(role)),
  );
}

function higher(one: MemberRole, other: Role): Role {
  return hasRole(one, other) ? (one as Role) : other;
}

/** A claim’s values as texts. `realm_access.roles` finds a claim inside another one. */
function valuesOf(claims: Claims, name: string): string[] {
  let value: unknown = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (value === undefined) {
    value = claims;
    for (const part of name.split('.'))
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, part)
          ? (value as Claims)[part]
          : undefined;
  }
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((one) => (['string', 'number', 'boolean'].includes(typeof one) ? [String(one)] : []));
}
