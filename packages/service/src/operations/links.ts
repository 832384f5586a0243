import { createHmac } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@postern/contract';
import { hashSecretToken, makeSecretToken } from '../model/secret-token.ts';
import type { LinkKind, LinkRow } from '../store/tables/account-link-table.ts';
import type { MemberRow } from '../store/tables/member-row.ts';
import { type Administration, NotFound, randomId } from './administration.ts';
import { perform } from './perform.ts';

const SETUP_LIFETIME_MS = DAY_MS;
const SETUP_PREFIX = 'pst_setup_';
export const INVITE_LIFETIME_MS = 7 * DAY_MS;
export const INVITE_PREFIX = 'pst_invite_';
/** How long a link works. It is also the window in which an account gets at most a few mails. */
export const RESET_LIFETIME_MS = HOUR_MS;
const SIGN_IN_LIFETIME_MS = 15 * 60_000;

const GONE: Readonly<Record<LinkKind, string>> = {
  setup:
    'This set-up link is used up or too old. Restart the service for a new one, or run: npx postern user create',
  invite: 'This invitation is used up, withdrawn or too old. Ask for a new one.',
  reset: 'This link was used already or is too old. Ask for a new one on the sign-in page.',
  'sign-in': 'This link was used already or is too old. Make a new one: npx postern user sign-in-link',
};

/** The link with that token, while it can be used. */
export async function findLink(
  { store, now }: Pick<Administration, 'store' | 'now'>,
  kind: LinkKind,
  token: string,
): Promise<LinkRow> {
  const link = await store.members.findLink(kind, hashSecretToken(token), now());
  if (link === undefined) throw new NotFound(GONE[kind]);
  return link;
}

/** The same, for a link of a member. */
export async function findMemberLink(
  admin: Pick<Administration, 'store' | 'now'>,
  kind: 'reset' | 'sign-in',
  token: string,
): Promise<{ readonly link: LinkRow; readonly member: MemberRow }> {
  const link = await findLink(admin, kind, token);
  const member = await admin.store.members.find(link.userId ?? '');
  if (member === undefined) throw new NotFound(GONE[kind]);
  return { link, member };
}

/**
 * The token of the set-up link, unless there is an account. It is computed from the link’s ID and a secret in the
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
  const id = randomId('setup-', 16, admin.randomBytes);
  const now = admin.now();
  const valid = await members.offerSetup({
    ...{ id, kind: 'setup', hash: hashSecretToken(tokenOf(id)), userId: null, role: 'owner', projects: {} },
    ...{ createdAt: now, expiresAt: now + SETUP_LIFETIME_MS },
  });
  return valid === undefined ? undefined : tokenOf(valid);
}

/** A token that signs the member in once, for the operator at the command line: also while passwords are off. */
export function makeSignInLink(
  admin: Administration,
  email: string,
): Promise<{ readonly member: MemberRow; readonly token: string; readonly expiresAt: number }> {
  return perform(admin, async () => {
    const member = await memberWithAddress(admin, email);
    const { token, link } = newMemberLink(admin, 'sign-in', member);
    return {
      write: [admin.store.members.linkCreation(link)],
      note: [{ action: 'member.sign-in-link', project: null, detail: { memberId: member.id } }],
      answer: { member, token, expiresAt: link.expiresAt },
    };
  });
}

/** The store keeps the token’s hash. */
export function newMemberLink(
  admin: Pick<Administration, 'now' | 'randomBytes'>,
  kind: 'reset' | 'sign-in',
  { id: userId }: Pick<MemberRow, 'id'>,
) {
  const token = makeSecretToken(kind === 'reset' ? 'pst_reset_' : 'pst_enter_', admin.randomBytes);
  const now = admin.now();
  const link = {
    ...{ id: randomId('lnk_', 16, admin.randomBytes), kind, hash: hashSecretToken(token), userId },
    ...{ role: 'none' as const, projects: {}, createdAt: now },
    expiresAt: now + (kind === 'reset' ? RESET_LIFETIME_MS : SIGN_IN_LIFETIME_MS),
  };
  return { token, link };
}

export async function memberWithAddress({ store }: Administration, email: string): Promise<MemberRow> {
  const address = email.trim().toLowerCase();
  const member = await store.members.findByEmail(address);
  if (member === undefined) throw new NotFound(`There is no account with the address ${address}.`);
  return member;
}
