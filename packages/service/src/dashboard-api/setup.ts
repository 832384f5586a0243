import type { AcceptInvite, SetupRequest, SetupState } from '@postern/contract/dashboard';
import { type AccountFields, acceptInvite, setUpAccount } from '../administration/accounts.ts';
import { InvalidInput } from '../administration/administration.ts';
import type { Attempts } from './attempts.ts';
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

export interface SetupParts {
  readonly attempts: Pick<Attempts, 'fromAddress' | 'forgiveAddress'>;
  readonly library: () => Promise<SignInLibrary>;
}

/** The two ways in for somebody without an account: the printed link, and an invitation. Both sign in at once. */
export function setupRoutes(parts: SetupParts): DashboardRoute[] {
  const enter = async (
    call: DashboardCall,
    make: typeof setUpAccount | typeof acceptInvite,
  ): Promise<DashboardAnswer> => {
    parts.attempts.fromAddress(call.caller.clientAddress);
    const { token, name, email, password } = fieldsOf<SetupRequest & AcceptInvite>(call);
    if (typeof token !== 'string') throw new InvalidInput('token', 'The link’s token is missing.');
    // The use case reads the fields and refuses what is none.
    const member = await make(call.admin, token, { name, email, password } as AccountFields);
    parts.attempts.forgiveAddress(call.caller.clientAddress);
    const body = JSON.stringify({ email: member.email, password });
    const signedIn = await (await parts.library()).handle('/sign-in/email', { ...call.caller, body });
    return created(memberView(member), signedIn.headers.getSetCookie());
  };
  return [
    {
      method: 'GET',
      path: '/setup',
      access: 'anyone',
      run: async ({ admin }) => {
        const state: SetupState = { needed: !(await admin.store.people.hasMembers()) };
        return ok(state);
      },
    },
    { method: 'POST', path: '/setup', access: 'anyone', run: (call) => enter(call, setUpAccount) },
    { method: 'POST', path: '/invites/accept', access: 'anyone', run: (call) => enter(call, acceptInvite) },
  ];
}
