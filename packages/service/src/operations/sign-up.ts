import type { Log } from '../log.ts';
import { hashSecretToken } from '../model/secret-token.ts';
import type { AccountMail } from './account-mail.ts';
import { createLinkedAccount, resetPasswordByLink } from './accounts.ts';
import type { Administration } from './administration.ts';
import { findMemberLink, newMemberLink, RESET_LIFETIME_MS } from './links.ts';
import { memberView } from './members.ts';
import {
  created,
  type DashboardCall,
  type DashboardHandlers,
  ok,
  Refused,
  type RequestFacts,
  type RouteCall,
} from './operation.ts';
import { perform } from './perform.ts';

/** What the routes for visitors who are not signed in need. */
export interface SignUpParts {
  readonly attempts: {
    fromAddress(address: string, connection?: string): void;
    forgiveAddress(address: string, connection?: string): void;
  };
  readonly devices: { makeKnown(email: string, cookie: string): readonly string[] };
  readonly library: () => Promise<{
    handle(path: string, request: RequestFacts & { readonly body: string }): Promise<Response>;
    beginSession(
      member: string,
      how: { readonly company: boolean; readonly userAgent: string },
    ): Promise<readonly string[]>;
  }>;
  readonly passwordLimit: <T>(work: () => Promise<T>) => Promise<T>;
  readonly accountMail: AccountMail;
  readonly company: { readonly name: string } | undefined;
  /** Whether people sign in with passwords. */
  readonly passwords: boolean;
  readonly log: Log;
}

export const PASSWORDS_OFF = 'Passwords are switched off here. Use the company sign-in.';

/** To one account, within the lifetime of a link. */
const MAILS_PER_ACCOUNT = 3;

/** The ways to get an account, and back into it: links that are printed, passed on or mailed. */
export function signUpOperations(parts: SignUpParts) {
  const { attempts } = parts;
  /** Counts the request as a wrong guess at the token, unless the work succeeds. */
  const guarded = async <T>({ caller }: DashboardCall, work: () => Promise<T>): Promise<T> => {
    attempts.fromAddress(caller.clientAddress, caller.connectionAddress);
    const done = await work();
    attempts.forgiveAddress(caller.clientAddress, caller.connectionAddress);
    return done;
  };
  const enter = async (call: RouteCall<'POST /setup' | 'POST /invites/accept'>, kind: 'setup' | 'invite') => {
    if (!parts.passwords) throw new Refused(403, PASSWORDS_OFF);
    const { token, ...fields } = call.body;
    const member = await guarded(call, () =>
      parts.passwordLimit(() => createLinkedAccount(call.admin, kind, token, fields)),
    );
    const body = JSON.stringify({ email: member.email, password: fields.password });
    const library = await parts.library();
    const signedIn = await parts.passwordLimit(() =>
      library.handle('/sign-in/email', { ...call.caller, body }),
    );
    const device = parts.devices.makeKnown(member.email, call.caller.cookie);
    return created(memberView(member), [...signedIn.headers.getSetCookie(), ...device]);
  };
  /** `undefined` if the link cannot be used any more. */
  const usableLink = (
    { admin, body }: RouteCall<'POST /invites/check' | 'POST /password/check'>,
    kind: 'invite' | 'reset',
  ) => admin.store.members.findLink(kind, hashSecretToken(body.token), admin.now());
  return {
    'GET /setup': async ({ admin }) =>
      ok({
        needed: !(await admin.store.members.hasAny()),
        passwordMail: parts.passwords && canMailResets(parts.accountMail),
        passwords: parts.passwords,
        company: parts.company === undefined ? null : { name: parts.company.name },
      }),
    'POST /setup': (call) => enter(call, 'setup'),
    'POST /sign-in-link': async (call) => {
      const member = await guarded(call, () =>
        perform(call.admin, async () => {
          const { link, member } = await findMemberLink(call.admin, 'sign-in', call.body.token);
          return {
            write: call.admin.store.members.linkRemoval(link.id),
            note: [{ action: 'member.sign-in', project: null, detail: { by: 'link' }, actor: member.id }],
            answer: member,
          };
        }),
      );
      const library = await parts.library();
      const { userAgent } = call.caller;
      return created(memberView(member), await library.beginSession(member.id, { company: true, userAgent }));
    },
    'POST /invites/check': async (call) => ok({ open: (await usableLink(call, 'invite')) !== undefined }),
    'POST /invites/accept': (call) => enter(call, 'invite'),
    'POST /password/forgot': (call) => forgot(call, parts),
    'POST /password/check': async (call) => {
      const { clientAddress, connectionAddress } = call.caller;
      attempts.fromAddress(clientAddress, connectionAddress);
      const open = (await usableLink(call, 'reset')) !== undefined;
      if (open) attempts.forgiveAddress(clientAddress, connectionAddress);
      return ok({ open });
    },
    'POST /password/reset': async (call) => {
      const { token, password, ...revoked } = call.body;
      const { member: _member, ...counts } = await guarded(call, () =>
        parts.passwordLimit(() => resetPasswordByLink(call.admin, token, password, revoked)),
      );
      return ok(counts);
    },
  } satisfies Partial<DashboardHandlers>;
}

/**
 * Whether people can ask for a link. That needs the service’s public address from the settings: with the one in the request,
 * a caller could make the mail point to another site.
 */
function canMailResets({ sender, publicUrl }: AccountMail): boolean {
  return sender !== undefined && publicUrl !== undefined;
}

/** The answer and its time are the same with and without an account: everything that differs happens afterwards. */
async function forgot(
  { admin, body, caller }: RouteCall<'POST /password/forgot'>,
  { accountMail, attempts, log, passwords }: SignUpParts,
) {
  if (!passwords) throw new Refused(403, PASSWORDS_OFF);
  if (!canMailResets(accountMail))
    throw new Refused(404, 'This service sends no mail. Ask the person who runs it for a new password.');
  attempts.fromAddress(caller.clientAddress, caller.connectionAddress);
  const address = body.email.trim().toLowerCase();
  const { count, resetsAt } = await admin.store.counters.count(
    `reset:${address}`,
    RESET_LIFETIME_MS,
    admin.now(),
  );
  if (count > MAILS_PER_ACCOUNT) {
    const minutes = Math.max(1, Math.ceil((resetsAt - admin.now()) / 60_000));
    throw new Refused(
      429,
      `Too many links were asked for this address. Use the newest one, or try again in ${minutes} minutes.`,
      { retryAfter: minutes * 60 },
    );
  }
  mailPasswordReset(admin, accountMail, address).catch((fault: unknown) =>
    log.warn({ err: fault }, 'could not mail a link for a new password'),
  );
  return { status: 202, body: {} };
}

/** Mails a link to the account with that address. Does nothing if there is none. */
async function mailPasswordReset(
  admin: Administration,
  { sender, publicUrl }: AccountMail,
  email: string,
): Promise<void> {
  const member = await admin.store.members.findByEmail(email);
  if (member === undefined) return;
  const { token, link } = newMemberLink(admin, 'reset', member);
  await admin.store.commit([admin.store.members.linkCreation(link)], []);
  const text = `Hello ${member.name},

somebody asked for a new password for your Postern account at ${publicUrl}.
Open this link within an hour to choose one:

${publicUrl}/dashboard/reset-password#token=${token}

It works once. Your second factor stays as it is. If you did not ask for this, ignore this mail: nothing has changed.
`;
  await sender?.send({ to: member.email, subject: 'Choose a new password for Postern', text });
}
