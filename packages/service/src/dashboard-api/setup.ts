import type { AcceptInvite, InviteState, SetupRequest, SetupState } from '@postern/contract/dashboard';
import type { AccountMail } from '../administration/account-mail.ts';
import { type AccountFields, acceptInvite, isInvited, setUpAccount } from '../administration/accounts.ts';
import { InvalidInput } from '../administration/administration.ts';
import { canMailResets } from '../administration/password-reset.ts';
import type { ConcurrencyLimit } from './auth/concurrency-limit.ts';
import type { DeviceCookie } from './auth/device-cookie.ts';
import type { SignInLibrary } from './auth/sign-in-library.ts';
import {
  created,
  type DashboardAnswer,
  type DashboardCall,
  type DashboardRoute,
  fieldsOf,
  ok,
} from './route.ts';
import { memberView } from './session.ts';
import type { Attempts } from './sign-in-throttle.ts';

export interface SetupParts {
  readonly attempts: Pick<Attempts, 'fromAddress' | 'forgiveAddress'>;
  readonly devices: Pick<DeviceCookie, 'introduce'>;
  readonly library: () => Promise<SignInLibrary>;
  readonly passwordLimit: ConcurrencyLimit;
  readonly accountMail: AccountMail;
  readonly passkeyHost: string;
}

/** The two ways to get an account: the printed link and an invitation. Both sign in immediately. */
export function setupRoutes(parts: SetupParts): DashboardRoute[] {
  const enter = async (
    call: DashboardCall,
    make: typeof setUpAccount | typeof acceptInvite,
  ): Promise<DashboardAnswer> => {
    parts.attempts.fromAddress(call.caller.clientAddress, call.caller.connectionAddress);
    const { token, name, email, password } = fieldsOf<SetupRequest & AcceptInvite>(call);
    if (typeof token !== 'string') throw new InvalidInput('token', 'The link’s token is missing.');
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
  return [
    {
      method: 'GET',
      path: '/setup',
      access: 'anyone',
      run: async ({ admin }) => {
        const state: SetupState = {
          needed: !(await admin.store.members.hasAny()),
          passwordMail: canMailResets(parts.accountMail),
          passkeyHost: parts.passkeyHost,
        };
        return ok(state);
      },
    },
    { method: 'POST', path: '/setup', access: 'anyone', run: (call) => enter(call, setUpAccount) },
    {
      method: 'POST',
      path: '/invites/check',
      access: 'anyone',
      run: async (call) => {
        const { token } = fieldsOf<{ token: string }>(call);
        if (typeof token !== 'string') throw new InvalidInput('token', 'The link’s token is missing.');
        return ok({ open: await isInvited(call.admin, token) } satisfies InviteState);
      },
    },
    { method: 'POST', path: '/invites/accept', access: 'anyone', run: (call) => enter(call, acceptInvite) },
  ];
}
