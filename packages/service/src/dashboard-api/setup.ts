import type { SetupState } from '@postern/contract/dashboard';
import type { AccountMail } from '../administration/account-mail.ts';
import { type AccountFields, acceptInvite, isInvited, setUpAccount } from '../administration/accounts.ts';
import { audit } from '../administration/administration.ts';
import { canMailResets } from '../administration/password-reset.ts';
import { claimSignInLink } from '../administration/sign-in-link.ts';
import { created, type DashboardHandlers, ok, Refused, type RouteCall } from '../operations/operation.ts';
import type { ConcurrencyLimit } from './auth/concurrency-limit.ts';
import type { DeviceCookie } from './auth/device-cookie.ts';
import type { SignInLibrary } from './auth/sign-in-library.ts';
import { PASSWORDS_OFF } from './auth/sign-in-routes.ts';
import { memberView } from './session.ts';
import type { Attempts } from './sign-in-throttle.ts';

export interface SetupParts {
  readonly attempts: Pick<Attempts, 'fromAddress' | 'forgiveAddress'>;
  readonly devices: Pick<DeviceCookie, 'introduce'>;
  readonly library: () => Promise<SignInLibrary>;
  readonly passwordLimit: ConcurrencyLimit;
  readonly accountMail: AccountMail;
  readonly passkeyHost: string;
  readonly company: { readonly name: string } | undefined;
  /** Whether people sign in with passwords and passkeys. */
  readonly passwords: boolean;
}

/** The two ways to get an account: the printed link and an invitation. Both sign in immediately. */
export function setupRoutes(parts: SetupParts) {
  const enter = async (
    call: RouteCall<'POST /setup' | 'POST /invites/accept'>,
    make: typeof setUpAccount | typeof acceptInvite,
  ) => {
    if (!parts.passwords) throw new Refused(403, PASSWORDS_OFF);
    parts.attempts.fromAddress(call.caller.clientAddress, call.caller.connectionAddress);
    const { token, name, email, password } = call.body;
    // The use case checks the fields.
    const fields = { name, email, password } as AccountFields;
    const member = await parts.passwordLimit(() => make(call.admin, token, fields));
    parts.attempts.forgiveAddress(call.caller.clientAddress, call.caller.connectionAddress);
    const body = JSON.stringify({ email: member.email, password });
    const library = await parts.library();
    const signedIn = await parts.passwordLimit(() =>
      library.handle('/sign-in/email', { ...call.caller, body }),
    );
    const device = parts.devices.introduce(member.email, call.caller.cookie);
    return created(memberView(member), [...signedIn.headers.getSetCookie(), ...device]);
  };
  return {
    'GET /setup': async ({ admin }) => {
      const state: SetupState = {
        needed: !(await admin.store.members.hasAny()),
        passwordMail: parts.passwords && canMailResets(parts.accountMail),
        passwords: parts.passwords,
        company: parts.company === undefined ? null : { name: parts.company.name },
        passkeyHost: parts.passkeyHost,
      };
      return ok(state);
    },
    'POST /setup': (call) => enter(call, setUpAccount),
    'POST /sign-in-link': async (call) => {
      const { clientAddress, connectionAddress, userAgent } = call.caller;
      parts.attempts.fromAddress(clientAddress, connectionAddress);
      const member = await claimSignInLink(call.admin, call.body.token);
      parts.attempts.forgiveAddress(clientAddress, connectionAddress);
      await audit({ ...call.admin, actor: member.id }, 'member.sign-in', null, { by: 'link' });
      const cookies = await (await parts.library()).beginSession(member.id, { company: true, userAgent });
      return created(memberView(member), cookies);
    },
    'POST /invites/check': async (call) => {
      return ok({ open: await isInvited(call.admin, call.body.token) });
    },
    'POST /invites/accept': (call) => enter(call, acceptInvite),
  } satisfies Partial<DashboardHandlers>;
}
