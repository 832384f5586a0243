import { accessOfClaims, type Claims, type RoleRule } from '../model/company-roles.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import type { Access, MemberRow } from '../store/tables/member-row.ts';
import { type Administration, audit, NotFound, quoted, randomId, readLine } from './administration.ts';

/** Why somebody whom the provider knows does not get in. */
export type CompanyRefusal = 'no-role' | 'no-address' | 'address-taken';

type CompanyAdministration = Omit<Administration, 'actor'>;

const MAX_NAME_LENGTH = 100;
const MAX_ATTEMPTS = 20;

/**
 * The member whom the provider names, with the role that the claims give now. An account belongs to the issuer’s
 * subject. It is linked to an existing account only by an address that the provider has verified, and that was verified
 * when the account was made, or by the operator: anybody with an invitation can type somebody else’s address.
 */
export async function admitCompanyMember(
  admin: CompanyAdministration,
  issuer: string,
  rules: readonly RoleRule[],
  claims: Claims & { readonly sub: string },
): Promise<MemberRow | CompanyRefusal> {
  const access = await existingAccess(admin, accessOfClaims(rules, claims));
  const { members } = admin.store;
  const provider = `oidc:${issuer}`;
  const known = await members.companyMember(provider, claims.sub);
  if (access.role === 'none' && Object.keys(access.projects).length === 0) {
    // The role was taken away at the provider, so everything that this account still opens ends too.
    if (known !== undefined) await withdrawAccess(admin, known);
    return 'no-role';
  }
  if (known !== undefined) return giveAccess(admin, known, access);

  const email = readEmail(claims.email);
  if (email === undefined) return 'no-address';
  const id = randomId('usr_', 16, admin.randomBytes);
  const result = await members.admitCompany(
    {
      id,
      accountId: randomId('acc_', 16, admin.randomBytes),
      name: readLine(claims.name, MAX_NAME_LENGTH) ?? email,
      email,
      provider,
      subject: claims.sub,
      verified: claims.email_verified === true,
    },
    access,
    admin.now(),
  );
  if (result === undefined) return 'address-taken';
  const member = await members.find(result);
  if (member === undefined) return 'address-taken';
  const detail = { memberId: result, issuer };
  if (result !== id) {
    await audit({ ...admin, actor: result }, 'member.company-link', null, detail);
    return giveAccess(admin, member, access);
  }
  await audit({ ...admin, actor: result }, 'member.create', null, { ...detail, ...access });
  return member;
}

/** Roles in projects that exist. */
async function existingAccess({ store }: CompanyAdministration, { role, projects }: Access): Promise<Access> {
  if (Object.keys(projects).length === 0) return { role, projects };
  const ids = new Set((await store.projects.list()).map(({ id }) => id));
  return { role, projects: Object.fromEntries(Object.entries(projects).filter(([id]) => ids.has(id))) };
}

/** The only owner stays an owner, so that somebody can still change rights. */
async function giveAccess(
  admin: CompanyAdministration,
  member: MemberRow,
  access: Access,
): Promise<MemberRow> {
  for (let before = member, attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    if (isSame(before, access)) return before;
    const result = await admin.store.members.changeRole(member.id, access, before);
    if (result === 'done')
      await audit({ ...admin, actor: member.id }, 'member.role', null, {
        memberId: member.id,
        ...access,
        before: { role: before.role, projects: before.projects },
        by: 'company sign-in',
      });
    const now = await admin.store.members.find(member.id);
    if (now === undefined || result !== 'changed') return now ?? before;
    before = now;
  }
  return member;
}

async function withdrawAccess(admin: CompanyAdministration, member: MemberRow): Promise<void> {
  await giveAccess(admin, member, { role: 'none', projects: {} });
  await admin.store.members.endSessions(member.id);
}

function isSame(one: Access, other: Access): boolean {
  const text = ({ role, projects }: Access) => JSON.stringify([role, Object.entries(projects).sort()]);
  return text(one) === text(other);
}

function readEmail(email: unknown): string | undefined {
  return typeof email === 'string' ? parseEmailAddress(email)?.normalized.toLowerCase() : undefined;
}

/** The operator confirms that the address belongs to the member, so that the company sign-in can use the account. */
export async function verifyMemberAddress(admin: Administration, email: string): Promise<MemberRow> {
  const member = await admin.store.members.verifyAddress(email.trim().toLowerCase());
  if (member === undefined) throw new NotFound(`There is no member with the address ${quoted(email)}.`);
  await audit(admin, 'member.verify-address', null, { memberId: member.id });
  return member;
}
