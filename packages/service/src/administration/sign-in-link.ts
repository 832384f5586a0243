import { hashSecretToken, makeSecretToken } from '../model/secret-token.ts';
import type { MemberRow } from '../store/tables/member-row.ts';
import { type Administration, audit, NotFound, quoted, randomId } from './administration.ts';

const LIFETIME_MS = 15 * 60_000;
const PREFIX = 'pst_enter_';

/** A token that signs the member in once, for the operator at the command line: also while passwords are off. */
export async function makeSignInLink(
  admin: Administration,
  email: string,
): Promise<{ readonly member: MemberRow; readonly token: string; readonly expiresAt: number }> {
  const address = email.trim().toLowerCase();
  const member = (await admin.store.members.list()).find((one) => one.email === address);
  if (member === undefined) throw new NotFound(`There is no member with the address ${quoted(email)}.`);
  const token = makeSecretToken(PREFIX, admin.randomBytes);
  const now = admin.now();
  const expiresAt = now + LIFETIME_MS;
  await admin.store.members.addSignInLink({
    id: randomId('lnk_', 16, admin.randomBytes),
    hash: hashSecretToken(token),
    userId: member.id,
    createdAt: now,
    expiresAt,
  });
  await audit(admin, 'member.sign-in-link', null, { memberId: member.id });
  return { member, token, expiresAt };
}

/** Whom the link signs in. It works once. */
export async function claimSignInLink(admin: Administration, token: string): Promise<MemberRow> {
  const { members } = admin.store;
  const userId = await members.claimSignInLink(hashSecretToken(token), admin.now());
  const member = userId === undefined ? undefined : await members.find(userId);
  if (member === undefined)
    throw new NotFound(
      'This link was used already or is too old. Make a new one: npx postern user sign-in-link',
    );
  return member;
}
