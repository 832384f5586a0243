import type { MailSender } from '../events/send-mail.ts';
import { readAccountEmail } from './accounts.ts';
import { type Administration, InvalidInput } from './administration.ts';

/** What the mails about accounts need. */
export interface AccountMail {
  /** `undefined` while no SMTP server is set. */
  readonly sender: MailSender | undefined;
  /** The dashboard’s address, for links in mails. */
  readonly publicUrl: string | undefined;
}

export interface InviteMail {
  readonly to: string;
  readonly role: string;
  readonly url: string;
  readonly expiresAt: number;
}

/** The address that an invitation goes to. Throws if it is not one, or if no mail can be sent. */
export function readInvitee(
  { sender }: AccountMail,
  email: string,
): { readonly sender: MailSender; readonly to: string } {
  if (sender === undefined)
    throw new InvalidInput(
      'email',
      'This service cannot send mail. Leave the address out and pass the link on, or set POSTERN_SMTP_URL.',
    );
  return { sender, to: readAccountEmail(email) };
}

export async function mailInvite(
  { store, actor }: Administration,
  sender: MailSender,
  { to, role, url, expiresAt }: InviteMail,
): Promise<void> {
  const inviter = (await store.members.find(actor))?.name ?? 'An owner';
  const text = `Hello,

${inviter} invites you to Postern${asRole(role)}. Open this link to create your account:

${url}

It works once, until ${new Date(expiresAt).toISOString().slice(0, 10)}.
`;
  await sender.send({ to, subject: 'Your invitation to Postern', text });
}

/** A member without a role in all projects has roles in selected projects, which the dashboard shows. */
function asRole(role: string): string {
  if (role === 'none') return '';
  return ` as ${role === 'viewer' ? 'a' : 'an'} ${role}`;
}
