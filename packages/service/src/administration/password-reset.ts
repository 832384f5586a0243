import { HOUR_MS } from '@postern/contract';
import { hashSecretToken, makeSecretToken } from '../model/secret-token.ts';
import type { AccountMail } from './account-mail.ts';
import { type PasswordReset, setPassword } from './accounts.ts';
import { type Administration, NotFound, randomId } from './administration.ts';
import type { RevokeOptions } from './ways-in.ts';

/** How long a link works. It is also the window in which an account gets at most a few mails. */
export const RESET_LIFETIME_MS = HOUR_MS;
const PREFIX = 'pst_reset_';
const USED_UP = 'This link was used already or is too old. Ask for a new one on the sign-in page.';

/**
 * Whether people can ask for a link. It needs the service’s public address: the one in the request is chosen by the
 * caller, who could make the mail point to another site.
 */
export function canMailResets({ sender, publicUrl }: AccountMail): boolean {
  return sender !== undefined && publicUrl !== undefined;
}

/** Mails a link to the account with that address. Does nothing if there is none. */
export async function mailPasswordReset(
  admin: Administration,
  { sender, publicUrl }: AccountMail,
  email: string,
): Promise<void> {
  const member = (await admin.store.members.list()).find((one) => one.email === email);
  if (member === undefined) return;
  const token = await makeResetToken(admin, member.id);
  const text = `Hello ${member.name},

somebody asked for a new password for your Postern account at ${publicUrl}.
Open this link within an hour to choose one:

${publicUrl}/dashboard/reset-password#token=${token}

It works once. Your second factor stays as it is. If you did not ask for this, ignore this mail: nothing has changed.
`;
  await sender?.send({ to: member.email, subject: 'Choose a new password for Postern', text });
}

/** The store keeps the token’s hash. Links stop working when the password changes in any way. */
export async function makeResetToken(admin: Administration, userId: string): Promise<string> {
  const token = makeSecretToken(PREFIX, admin.randomBytes);
  const now = admin.now();
  await admin.store.members.addResetLink({
    id: randomId('lnk_', 16, admin.randomBytes),
    hash: hashSecretToken(token),
    userId,
    createdAt: now,
    expiresAt: now + RESET_LIFETIME_MS,
  });
  return token;
}

/** Whether the link can still be used. */
export async function isResetOpen({ store, now }: Administration, token: string): Promise<boolean> {
  return (await store.members.resetLinkOwner(hashSecretToken(token), now())) !== undefined;
}

/** Sets the password and ends every session. The second factor stays: a mailbox alone does not open the account. */
export async function resetPasswordByLink(
  admin: Administration,
  token: string,
  password: unknown,
  revoked: RevokeOptions,
): Promise<PasswordReset> {
  const link = { hash: hashSecretToken(token), now: admin.now() };
  const userId = await admin.store.members.resetLinkOwner(link.hash, link.now);
  const member = userId === undefined ? undefined : await admin.store.members.find(userId);
  if (member === undefined) throw new NotFound(USED_UP);
  const options = { dropSecondFactor: false, ...revoked, link };
  const reset = await setPassword({ ...admin, actor: member.id }, member, password, options);
  if (reset === undefined) throw new NotFound(USED_UP);
  return reset;
}
