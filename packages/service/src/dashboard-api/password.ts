import type { ResetLinkState } from '@postern/contract/dashboard';
import type { AccountMail } from '../administration/account-mail.ts';
import {
  canMailResets,
  isResetOpen,
  mailPasswordReset,
  RESET_LIFETIME_MS,
  resetPasswordByLink,
} from '../administration/password-reset.ts';
import type { Log } from '../log.ts';
import {
  type DashboardCall,
  type DashboardHandlers,
  ok,
  Refused,
  type RouteCall,
} from '../operations/operation.ts';
import type { ConcurrencyLimit } from './auth/concurrency-limit.ts';
import { PASSWORDS_OFF, readRevoked } from './auth/sign-in-routes.ts';
import type { Attempts } from './sign-in-throttle.ts';

export interface PasswordParts {
  readonly attempts: Pick<Attempts, 'fromAddress' | 'forgiveAddress'>;
  readonly passwordLimit: ConcurrencyLimit;
  readonly accountMail: AccountMail;
  /** Whether people sign in with passwords. */
  readonly passwords: boolean;
  readonly log: Log;
}

/** Mails to one account within the lifetime of a link. */
const MAILS_PER_ACCOUNT = 3;

/** A new password by mail, for people who are not signed in. */
export function passwordRoutes(parts: PasswordParts) {
  return {
    'POST /password/forgot': (call) => forgot(call, parts),
    'POST /password/check': async (call) => {
      limitAddress(call, parts);
      const open = await isResetOpen(call.admin, call.body.token);
      if (open) parts.attempts.forgiveAddress(call.caller.clientAddress, call.caller.connectionAddress);
      return ok({ open } satisfies ResetLinkState);
    },
    'POST /password/reset': (call) => reset(call, parts),
  } satisfies Partial<DashboardHandlers>;
}

/** The answer and its time are the same with and without an account: everything that differs happens afterwards. */
async function forgot(call: RouteCall<'POST /password/forgot'>, parts: PasswordParts) {
  const { accountMail, log } = parts;
  if (!parts.passwords) throw new Refused(403, PASSWORDS_OFF);
  if (!canMailResets(accountMail))
    throw new Refused(404, 'This service sends no mail. Ask the person who runs it for a new password.');
  const { email } = call.body;
  limitAddress(call, parts);
  const { admin } = call;
  const address = email.trim().toLowerCase();
  const { members } = admin.store;
  const { count, resetsAt } = await members.countAttempt(`reset:${address}`, RESET_LIFETIME_MS, admin.now());
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

async function reset(call: RouteCall<'POST /password/reset'>, parts: PasswordParts) {
  const { password, revokeTokens, revokePasskeys } = call.body;
  const revoked = readRevoked({ revokeTokens, revokePasskeys });
  const token = call.body.token;
  limitAddress(call, parts);
  const { member: _member, ...waysIn } = await parts.passwordLimit(() =>
    resetPasswordByLink(call.admin, token, password, revoked),
  );
  parts.attempts.forgiveAddress(call.caller.clientAddress, call.caller.connectionAddress);
  return ok(waysIn);
}

function limitAddress({ caller }: DashboardCall, { attempts }: PasswordParts): void {
  attempts.fromAddress(caller.clientAddress, caller.connectionAddress);
}
