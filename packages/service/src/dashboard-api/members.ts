import type { Invite, NewInvite } from '@postern/contract/dashboard';
import { type AccountMail, mailInvite, readInvitee } from '../administration/account-mail.ts';
import { changeRole, inviteMember, removeMember, withdrawInvite } from '../administration/accounts.ts';
import type { Log } from '../log.ts';
import {
  created,
  type DashboardCall,
  type DashboardRoute,
  fieldsOf,
  NO_CONTENT,
  ok,
  param,
  refuseOtherFields,
} from './route.ts';
import { memberView } from './session.ts';

export const memberRoutes: DashboardRoute[] = [
  {
    method: 'GET',
    path: '/members',
    access: 'viewer',
    run: async ({ admin }) => ok((await admin.store.people.members()).map(memberView)),
  },
  {
    method: 'PATCH',
    path: '/members/:id',
    access: 'owner',
    run: async (call) => {
      const { role } = fieldsOf<{ role: string }>(call);
      return ok(memberView(await changeRole(call.admin, param(call, 'id'), role)));
    },
  },
  {
    method: 'DELETE',
    path: '/members/:id',
    access: 'owner',
    run: async (call) => {
      await removeMember(call.admin, param(call, 'id'));
      return NO_CONTENT;
    },
  },
];

export interface InviteParts {
  readonly accountMail: AccountMail;
  readonly log: Log;
}

export function inviteRoutes(parts: InviteParts): DashboardRoute[] {
  return [
    {
      method: 'GET',
      path: '/invites',
      access: 'owner',
      run: async ({ admin }) => {
        const invites: Invite[] = await admin.store.people.invites(admin.now());
        return ok(invites);
      },
    },
    {
      method: 'POST',
      path: '/invites',
      access: 'owner',
      run: async (call) => created(await makeInvite(call, parts)),
    },
    {
      method: 'DELETE',
      path: '/invites/:id',
      access: 'owner',
      run: async (call) => {
        await withdrawInvite(call.admin, param(call, 'id'));
        return NO_CONTENT;
      },
    },
  ];
}

async function makeInvite(call: DashboardCall, { accountMail, log }: InviteParts): Promise<NewInvite> {
  refuseOtherFields(call, ['role', 'email']);
  const { role, email } = fieldsOf<{ role: string; email: string }>(call);
  const invitee = email === undefined ? undefined : readInvitee(accountMail, email);
  const { invite, token } = await inviteMember(call.admin, role);
  // The token is in the URL fragment, which is never sent to a server or logged.
  const url = `${call.caller.base}/dashboard/invite#token=${token}`;
  if (invitee === undefined) return { ...invite, url };
  try {
    await mailInvite(call.admin, invitee.sender, { ...invite, to: invitee.to, url });
    return { ...invite, url, mail: 'sent' };
  } catch (fault) {
    log.warn({ err: fault }, 'could not mail an invitation; the dashboard showed its link instead');
    return { ...invite, url, mail: 'failed' };
  }
}
