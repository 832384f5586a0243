import { createHmac } from 'node:crypto';
import { DAY_MS } from '@postern/contract';
import type { MemberRole } from '@postern/contract/dashboard';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { hashSecretToken, makeSecretToken } from '../model/secret-token.ts';
import { StoreConflict } from '../store/store.ts';
import type { LinkRow } from '../store/tables/account-link-table.ts';
import type { Access, MemberRow } from '../store/tables/member-row.ts';
import type { LinkClaim, ResetOptions } from '../store/tables/member-table.ts';
import { type Administration, audit, InvalidInput, NotFound, randomId, readLine } from './administration.ts';
import { readAccess, readMemberRole } from './member-access.ts';
import { type RevokeOptions, revokeWaysIn, type WaysIn } from './ways-in.ts';

/** NIST SP 800-63B requires at least 8. A page that protects keys requires a little more. */
export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 128;
const MAX_NAME_LENGTH = 100;
/** Of a change that others make at the same time. */
const MAX_ATTEMPTS = 20;
const SETUP_LIFETIME_MS = DAY_MS;
const INVITE_LIFETIME_MS = 7 * DAY_MS;
const SETUP_PREFIX = 'pst_setup_';
/** The store’s table of links knows it too. */
const SETUP_LINK_PREFIX = 'setup-';
const INVITE_PREFIX = 'pst_invite_';
const NO_ACCESS = { role: 'none', projects: {} } as const;

export interface AccountFields {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** Creates the first account, an owner, with the token of the printed link. */
export function setUpAccount(
  admin: Administration,
  token: string,
  fields: AccountFields,
): Promise<MemberRow> {
  return makeAccount(admin, fields, 'owner', { kind: 'setup', hash: hashSecretToken(token) });
}

export function acceptInvite(
  admin: Administration,
  token: string,
  fields: AccountFields,
): Promise<MemberRow> {
  return makeAccount(admin, fields, 'viewer', { kind: 'invite', hash: hashSecretToken(token) });
}

/** Creates an account without a link, for the operator at the command line. */
export function createAccount(
  admin: Administration,
  fields: AccountFields,
  role: string,
): Promise<MemberRow> {
  return makeAccount(admin, fields, readMemberRole(role), null);
}

async function makeAccount(
  admin: Administration,
  fields: AccountFields,
  role: MemberRole,
  link: LinkClaim | null,
): Promise<MemberRow> {
  // Avoids the slow hash if the link cannot work anyway. `admit` decides.
  if (link?.kind === 'setup' && (await admin.store.members.hasAny()))
    throw new NotFound(unknownLink('setup'));
  const name = readPersonName(fields.name);
  const email = readAccountEmail(fields.email);
  const password = readPassword(fields.password);
  // The library’s own hash function, so that it can verify the hash. It is slow to load and only needed here.
  const { hashPassword } = await import('better-auth/crypto');
  const now = admin.now();
  const account = {
    id: randomId('usr_', 16, admin.randomBytes),
    accountId: randomId('acc_', 16, admin.randomBytes),
    name,
    email,
    passwordHash: await hashPassword(password),
    role,
  };
  const admitted = await admin.store.members.admit(account, link, now);
  if (admitted.result === 'email-taken')
    throw new StoreConflict(`There is already an account with the address ${email}.`);
  if (admitted.result === 'link-unknown') throw new NotFound(unknownLink(link?.kind));
  const member = {
    id: account.id,
    name,
    email,
    ...admitted.access,
    joinedAt: now,
    activeAt: null,
    twoFactorEnabled: false,
    passkeys: 0,
  };
  const actor = link === null ? admin.actor : member.id;
  await audit({ ...admin, actor }, 'member.create', null, { memberId: member.id, role: member.role });
  return member;
}

function unknownLink(kind: LinkClaim['kind'] | undefined): string {
  return kind === 'setup'
    ? 'This set-up link is used up or too old. Restart the service for a new one, or run: npx postern user create'
    : 'This invitation is used up, withdrawn or too old. Ask for a new one.';
}

/**
 * The token of the set-up link, unless somebody has an account. It is computed from the link’s ID and a secret in the
 * store, so that all processes print the same link, and a restart prints it again until it expires.
 */
export async function offerSetup(admin: Administration): Promise<string | undefined> {
  const { members, instance } = admin.store;
  if (await members.hasAny()) return undefined;
  const secret = await instance.secret('setup-link', () =>
    Buffer.from(admin.randomBytes(32)).toString('base64url'),
  );
  const tokenOf = (link: string) =>
    makeSecretToken(SETUP_PREFIX, () => createHmac('sha256', secret).update(link).digest());
  const id = randomId(SETUP_LINK_PREFIX, 16, admin.randomBytes);
  const now = admin.now();
  const valid = await members.offerSetup({
    id,
    hash: hashSecretToken(tokenOf(id)),
    role: 'owner',
    projects: {},
    createdAt: now,
    expiresAt: now + SETUP_LIFETIME_MS,
  });
  return valid === undefined ? undefined : tokenOf(valid);
}

export async function inviteMember(
  admin: Administration,
  fields: { readonly role?: unknown; readonly projects?: unknown },
): Promise<{ invite: LinkRow; token: string }> {
  const access = await readAccess(
    admin,
    { projects: {}, ...fields, role: readMemberRole(fields.role) },
    NO_ACCESS,
  );
  const token = makeSecretToken(INVITE_PREFIX, admin.randomBytes);
  const now = admin.now();
  const invite: LinkRow = {
    id: randomId('inv_', 16, admin.randomBytes),
    ...access,
    createdAt: now,
    expiresAt: now + INVITE_LIFETIME_MS,
  };
  await admin.store.members.invite({ ...invite, hash: hashSecretToken(token) });
  await audit(admin, 'invite.create', null, { inviteId: invite.id, ...access });
  return { invite, token };
}

/** Whether an invitation's token can still make an account. */
export function isInvited(
  { store, now }: Pick<Administration, 'store' | 'now'>,
  token: string,
): Promise<boolean> {
  return store.members.isInvited(hashSecretToken(token), now());
}

export async function withdrawInvite(admin: Administration, id: string): Promise<void> {
  if (!(await admin.store.members.withdrawInvite(id))) throw new NotFound(`There is no invitation '${id}'.`);
  await audit(admin, 'invite.withdraw', null, { inviteId: id });
}

export async function changeRole(
  admin: Administration,
  id: string,
  fields: { readonly role?: unknown; readonly projects?: unknown },
): Promise<MemberRow> {
  if (fields.role === undefined && fields.projects === undefined)
    throw new InvalidInput('role', 'Name a role, or projects with a role in each.');
  const { before, wanted } = await writeRole(admin, id, fields);
  await audit(admin, 'member.role', null, { memberId: id, ...wanted });
  if (before.role === 'owner' && wanted.role !== 'owner') await withdrawInvites(admin);
  return findMember(admin, id);
}

/** Somebody else may change the same member at the same time. A field that this change does not name keeps theirs. */
async function writeRole(
  admin: Administration,
  id: string,
  fields: { readonly role?: unknown; readonly projects?: unknown },
): Promise<{ readonly before: MemberRow; readonly wanted: Access }> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const before = await findMember(admin, id);
    const wanted = await readAccess(admin, fields, before);
    const result = await admin.store.members.changeRole(id, wanted, before);
    if (result === 'changed') continue;
    refuseUnlessDone(result, id);
    return { before, wanted };
  }
  throw new StoreConflict('Somebody else is changing this member. Try again.');
}

export async function removeMember(admin: Administration, id: string): Promise<void> {
  const before = await admin.store.members.find(id);
  refuseUnlessDone(await admin.store.members.remove(id), id);
  await audit(admin, 'member.remove', null, { memberId: id });
  if (before?.role === 'owner') await withdrawInvites(admin);
}

/** A former owner may know an invitation link for an owner, so those links are withdrawn. */
async function withdrawInvites(admin: Administration): Promise<void> {
  for (const { id } of await admin.store.members.invites(admin.now())) {
    // Another request may have used or withdrawn it in the meantime.
    if (await admin.store.members.withdrawInvite(id))
      await audit(admin, 'invite.withdraw', null, { inviteId: id });
  }
}

export interface PasswordReset extends WaysIn {
  readonly member: MemberRow;
}

/** A new password for a member who is locked out. The operator at the command line is trusted. */
export async function resetPassword(
  admin: Administration,
  email: string,
  password: string,
  options: RevokeOptions & { readonly dropSecondFactor: boolean },
): Promise<PasswordReset> {
  const address = email.trim().toLowerCase();
  const member = (await admin.store.members.list()).find((one) => one.email === address);
  if (member === undefined) throw new NotFound(`There is no account with the address ${address}.`);
  const reset = await setPassword(admin, member, password, options);
  if (reset === undefined) throw new NotFound(`The account with the address ${address} is gone.`);
  return reset;
}

export interface SetPasswordOptions extends RevokeOptions {
  readonly dropSecondFactor: boolean;
  /** The link to use up. Without it the operator is trusted. */
  readonly link?: ResetOptions['link'];
}

/** `undefined`: the link was used meanwhile, or the member is gone. */
export async function setPassword(
  admin: Administration,
  member: MemberRow,
  password: unknown,
  { dropSecondFactor, link, ...revoked }: SetPasswordOptions,
): Promise<PasswordReset | undefined> {
  const { members } = admin.store;
  const { hashPassword } = await import('better-auth/crypto');
  const hash = await hashPassword(readPassword(password));
  if (!(await members.resetPassword(member.id, hash, { dropSecondFactor, link }))) return undefined;
  // Failed guesses by strangers are counted under this name. The member with the new password must not wait for them to
  // expire.
  await members.forgetAttempts(`account:${member.email}`);
  await audit(admin, 'member.password-reset', null, { memberId: member.id, dropSecondFactor });
  return { member, ...(await revokeWaysIn(admin, member.id, revoked)) };
}

async function findMember(admin: Administration, id: string): Promise<MemberRow> {
  const member = await admin.store.members.find(id);
  if (member === undefined) throw new NotFound(`There is no member '${id}'.`);
  return member;
}

function refuseUnlessDone(result: 'done' | 'unknown' | 'last-owner', id: string): void {
  if (result === 'unknown') throw new NotFound(`There is no member '${id}'.`);
  if (result === 'last-owner')
    throw new StoreConflict('This is the last owner. Make somebody else an owner first.');
}

function readPersonName(name: unknown): string {
  const read = readLine(name, MAX_NAME_LENGTH);
  if (read === undefined) throw new InvalidInput('name', `A name has 1 to ${MAX_NAME_LENGTH} characters.`);
  return read;
}

/** The same format as in the sign-in form: an ordinary ASCII address with a dot in its domain. */
export function readAccountEmail(email: unknown): string {
  const address = typeof email === 'string' ? parseEmailAddress(email.trim()) : undefined;
  const plain = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@[a-z0-9.-]+\.[a-z0-9-]{2,}$/;
  if (address === undefined || !plain.test(address.normalized))
    throw new InvalidInput('email', 'This is not an email address that can be used to sign in.');
  return address.normalized;
}

function readPassword(password: unknown): string {
  if (
    typeof password !== 'string' ||
    password.length < MIN_PASSWORD_LENGTH ||
    password.length > MAX_PASSWORD_LENGTH
  ) {
    throw new InvalidInput(
      'password',
      `A password has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters. A few words in a row are easy to remember.`,
    );
  }
  return password;
}
