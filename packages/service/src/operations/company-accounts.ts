import { accessOfClaims, type Claims, type RoleRule } from '../model/company-roles.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import type { Access, MemberRow } from '../store/tables/member-row.ts';
import { MAX_NAME_LENGTH } from './accounts.ts';
import { type Administration, randomId, readLine } from './administration.ts';
import { type Change, perform } from './perform.ts';

/** Why a person whom the provider knows does not get in. */
export type CompanyRefusal = 'no-role' | 'no-address' | 'address-taken';

const refused = (reason: CompanyRefusal): Change<CompanyRefusal> => ({ write: [], note: [], answer: reason });

/**
 * The member whom the provider names, with the role that the claims give now. An account belongs to the issuer’s
 * subject. It is linked to an existing account with the same address only if the provider has verified the address, and
 * if it was verified here too: an invited stranger could have typed another person’s address.
 */
export function admitCompanyMember(
  admin: Administration,
  issuer: string,
  rules: readonly RoleRule[],
  claims: Claims & { readonly sub: string },
): Promise<MemberRow | CompanyRefusal> {
  const { members } = admin.store;
  const account = { provider: `oidc:${issuer}`, subject: claims.sub };
  const accountId = randomId('acc_', 16, admin.randomBytes);
  return perform<MemberRow | CompanyRefusal>(admin, async () => {
    const access = await existingAccess(admin, accessOfClaims(rules, claims));
    const known = await members.findByAccount(account.provider, claims.sub);
    if (access.role === 'none' && Object.keys(access.projects).length === 0) {
      if (known === undefined) return refused('no-role');
      // The role was taken away at the provider, so everything that this account still opens ends too.
      const { write, note } = await changeAccess(admin, known, access);
      return { write: [...write, members.allSessionsEnd(known.id)], note, answer: 'no-role' };
    }
    if (known !== undefined) return changeAccess(admin, known, access);
    const email =
      typeof claims.email === 'string'
        ? parseEmailAddress(claims.email)?.normalized.toLowerCase()
        : undefined;
    if (email === undefined) return refused('no-address');
    const verified = claims.email_verified === true;
    const owner = await members.findByEmail(email);
    if (owner !== undefined) {
      if (!verified || !(await members.isVerified(owner.id))) return refused('address-taken');
      const change = await changeAccess(admin, owner, access);
      const detail = { memberId: owner.id, issuer };
      const note = { action: 'member.company-link', project: null, detail, actor: owner.id } as const;
      return {
        ...change,
        write: [...members.accountCreation(owner.id, accountId, account), ...change.write],
        note: [note, ...change.note],
      };
    }
    const id = randomId('usr_', 16, admin.randomBytes);
    const name = readLine(claims.name, MAX_NAME_LENGTH) ?? email;
    const now = admin.now();
    const detail = { memberId: id, issuer, ...access };
    return {
      write: members.creation({ id, accountId, name, email, verified, account, ...access }, now),
      note: [{ action: 'member.create', project: null, detail, actor: id }],
      answer: { id, name, email, ...access, joinedAt: now, activeAt: null, twoFactorEnabled: false },
    };
  });
}

/** The provider ended the person’s sign-in, so what it opened here ends too. */
export function endCompanySessions(admin: Administration, issuer: string, subject: string): Promise<void> {
  const { members } = admin.store;
  return perform<void>(admin, async () => {
    const member = await members.findByAccount(`oidc:${issuer}`, subject);
    if (member === undefined) return { write: [], note: [], answer: undefined };
    const detail = { by: 'company' };
    return {
      write: [members.allSessionsEnd(member.id)],
      note: [{ action: 'member.sign-out-everywhere', project: null, detail, actor: member.id }],
      answer: undefined,
    };
  });
}

/** The access without roles in projects that do not exist. */
async function existingAccess({ store }: Administration, { role, projects }: Access): Promise<Access> {
  if (Object.keys(projects).length === 0) return { role, projects };
  const ids = new Set((await store.projects.list()).map(({ id }) => id));
  return { role, projects: Object.fromEntries(Object.entries(projects).filter(([id]) => ids.has(id))) };
}

/** Gives the member this access. The last owner stays an owner, so that somebody can still change rights. */
async function changeAccess(
  { store }: Administration,
  member: MemberRow,
  access: Access,
): Promise<Change<MemberRow>> {
  const before = { role: member.role, projects: member.projects };
  const others = (await store.members.list()).filter(({ id }) => id !== member.id);
  const isLastOwner = before.role === 'owner' && !others.some(({ role }) => role === 'owner');
  if (isSame(before, access) || (isLastOwner && access.role !== 'owner'))
    return { write: [], note: [], answer: member };
  const detail = { memberId: member.id, ...access, before, by: 'company sign-in' };
  return {
    write: store.members.accessChange(member, access),
    note: [{ action: 'member.role', project: null, detail, actor: member.id }],
    answer: { ...member, ...access },
  };
}

function isSame(one: Access, other: Access): boolean {
  const text = ({ role, projects }: Access) => JSON.stringify([role, Object.entries(projects).sort()]);
  return text(one) === text(other);
}
