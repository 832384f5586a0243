import { MEMBER_ROLES, type PasswordWasReset } from '@postern/contract/dashboard';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { StoreConflict } from '../store/store.ts';
import type { LinkRow } from '../store/tables/account-link-table.ts';
import type { Access, MemberRow } from '../store/tables/member-row.ts';
import { type Administration, InvalidInput, NotFound, quoted, randomId, readLine } from './administration.ts';
import { findLink, findMemberLink, memberWithAddress } from './links.ts';
import { type Change, perform } from './perform.ts';

/** NIST SP 800-63B requires at least 8. A page that protects keys requires a little more. */
export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 128;
export const MAX_NAME_LENGTH = 100;

export interface AccountFields {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** Creates an account with the token of the printed link or of an invitation. Of the former, only the first, an owner. */
export function createLinkedAccount(
  admin: Administration,
  kind: 'setup' | 'invite',
  token: string,
  fields: AccountFields,
): Promise<MemberRow> {
  return perform(admin, async () => {
    const link = await findLink(admin, kind, token);
    return makeAccount(admin, fields, link, link);
  });
}

/** Creates an account without a link, for the operator at the command line. */
export function createAccount(
  admin: Administration,
  fields: AccountFields,
  role: string,
): Promise<MemberRow> {
  const found = MEMBER_ROLES.find((one) => one === role);
  if (found === undefined)
    throw new InvalidInput(
      'role',
      `Role ${quoted(role)} is not known. Use one of: ${MEMBER_ROLES.join(', ')}.`,
    );
  return perform(admin, () => makeAccount(admin, fields, { role: found, projects: {} }));
}

async function makeAccount(
  admin: Administration,
  fields: AccountFields,
  { role, projects }: Access,
  link?: LinkRow,
): Promise<Change<MemberRow>> {
  const { members } = admin.store;
  const name = readLine(fields.name, MAX_NAME_LENGTH);
  if (name === undefined) throw new InvalidInput('name', `A name has 1 to ${MAX_NAME_LENGTH} characters.`);
  const email = readAccountEmail(fields.email);
  const passwordHash = await hashOf(fields.password);
  if ((await members.findByEmail(email)) !== undefined)
    throw new StoreConflict(`There is already an account with the address ${email}.`);
  const now = admin.now();
  const id = randomId('usr_', 16, admin.randomBytes);
  const account = {
    ...{ id, accountId: randomId('acc_', 16, admin.randomBytes), name, email, role, projects },
    ...{ verified: false, account: { passwordHash } },
  };
  const create = link?.kind === 'setup' ? members.firstCreation : members.creation;
  return {
    write: [...(link === undefined ? [] : members.linkRemoval(link.id)), ...create(account, now)],
    note: [
      {
        ...{ action: 'member.create', project: null, detail: { memberId: id, role } },
        ...(link !== undefined && { actor: id }),
      },
    ],
    answer: {
      ...{ id, name, email, role, projects, joinedAt: now, activeAt: null },
      twoFactorEnabled: false,
    },
  };
}

/** What is removed with a member’s sessions. */
export interface RevokeOptions {
  readonly revokeTokens?: boolean | undefined;
}

/** Removes a member’s access tokens, if asked to, and counts what is left. */
export async function revocation(
  { store: { members } }: Pick<Administration, 'store'>,
  userId: string,
  { revokeTokens = false }: RevokeOptions,
): Promise<Change<PasswordWasReset>> {
  const tokens = await members.tokens(userId);
  const lost = revokeTokens ? tokens : [];
  return {
    write: lost.map(({ id }) => members.tokenRemoval(userId, id)),
    note: lost.map(({ id }) => ({ action: 'token.remove', project: null, detail: { tokenId: id } })),
    answer: { tokensRevoked: lost.length, tokensLeft: tokens.length - lost.length },
  };
}

export interface PasswordReset extends PasswordWasReset {
  readonly member: MemberRow;
}

/** A new password for a member who is locked out. The operator at the command line is trusted. */
export function resetPassword(
  admin: Administration,
  email: string,
  password: string,
  options: RevokeOptions & { readonly dropSecondFactor: boolean },
): Promise<PasswordReset> {
  return perform(admin, async () =>
    setPassword(admin, await memberWithAddress(admin, email), password, options),
  );
}

/** Sets the password and ends every session. The second factor stays: a mailbox alone does not open the account. */
export function resetPasswordByLink(
  admin: Administration,
  token: string,
  password: string,
  revoked: RevokeOptions,
): Promise<PasswordReset> {
  return perform(admin, async () => {
    const { link, member } = await findMemberLink(admin, 'reset', token);
    const { write, note, answer } = await setPassword(admin, member, password, {
      ...revoked,
      dropSecondFactor: false,
    });
    return {
      write: [...admin.store.members.linkRemoval(link.id), ...write],
      note: note.map((one) => ({ ...one, actor: member.id })),
      answer,
    };
  });
}

async function setPassword(
  admin: Administration,
  member: MemberRow,
  password: string,
  { dropSecondFactor, ...revoked }: RevokeOptions & { readonly dropSecondFactor: boolean },
): Promise<Change<PasswordReset>> {
  const { members, counters } = admin.store;
  const { id, email } = member;
  if (!(await members.hasPassword(id)))
    throw new NotFound(
      `The account with the address ${email} has no password: it signs in with the company’s sign-in.`,
    );
  const passwordHash = await hashOf(password);
  const lost = await revocation(admin, id, revoked);
  return {
    write: [
      ...members.passwordChange(id, passwordHash),
      ...(dropSecondFactor ? members.secondFactorRemoval(id) : []),
      // Failed guesses by strangers are counted under this name. The member with the new password must not wait for them
      // to expire.
      counters.reset(`account:${email}`),
      ...lost.write,
    ],
    note: [
      { action: 'member.password-reset', project: null, detail: { memberId: id, dropSecondFactor } },
      ...lost.note,
    ],
    answer: { member, ...lost.answer },
  };
}

/** The operator confirms that the address belongs to the member, so that the company sign-in can use the account. */
export function verifyMemberAddress(admin: Administration, email: string): Promise<MemberRow> {
  return perform(admin, async () => {
    const member = await memberWithAddress(admin, email);
    return {
      write: [admin.store.members.addressVerification(member.id)],
      note: [{ action: 'member.verify-address', project: null, detail: { memberId: member.id } }],
      answer: member,
    };
  });
}

/** The library’s own hash function, so that it can verify the hash. It is slow to load and only needed here. */
async function hashOf(password: string): Promise<string> {
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH)
    throw new InvalidInput(
      'password',
      `A password has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters. A few words in a row are easy to remember.`,
    );
  const { hashPassword } = await import('better-auth/crypto');
  return hashPassword(password);
}

/** The same format as in the sign-in form: an ordinary ASCII address with a dot in its domain. */
export function readAccountEmail(email: string): string {
  const address = parseEmailAddress(email.trim());
  const plain = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@[a-z0-9.-]+\.[a-z0-9-]{2,}$/;
  if (address === undefined || !plain.test(address.normalized))
    throw new InvalidInput('email', 'This is not an email address that can be used to sign in.');
  return address.normalized;
}
