import type { Invite, NewInvite } from '@postern/contract/dashboard';
import { type AccountMail, mailInvite, readInvitee } from '../administration/account-mail.ts';
import { changeRole, inviteMember, removeMember, withdrawInvite } from '../administration/accounts.ts';
import type { Log } from '../log.ts';
import type { LinkRow } from '../store/tables/account-link-table.ts';
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
    run: async ({ admin }) => ok((await admin.store.members.list()).map(memberView)),
  },
  {
    method: 'PATCH',
    path: '/members/:id',
    access: 'owner',
    run: async (call) => {
      refuseOtherFields(call, ['role', 'projects']);
      const fields = fieldsOf<{ role: unknown; projects: unknown }>(call);
      return ok(memberView(await changeRole(call.admin, param(call, 'id'), fields)));
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
        return ok((await admin.store.members.invites(admin.now())).map(inviteView));
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
  refuseOtherFields(call, ['role', 'projects', 'email']);
  const { role, projects, email } = fieldsOf<{ role: unknown; projects: unknown; email: string }>(call);
  const invitee = email === undefined ? undefined : readInvitee(accountMail, email);
  const { invite, token } = await inviteMember(call.admin, {
    role,
    ...(projects !== undefined && { projects }),
  });
  const view = inviteView(invite);
  // The token is in the URL fragment, which is never sent to a server or logged.
  const url = `${call.caller.base}/dashboard/invite#token=${token}`;
  if (invitee === undefined) return { ...view, url };
  try {
    await mailInvite(call.admin, invitee.sender, { ...invite, to: invitee.to, url });
    return { ...view, url, mail: 'sent' };
  } catch (fault) {
    log.warn({ err: fault }, 'could not mail an invitation; the dashboard showed its link instead');
    return { ...view, url, mail: 'failed' };
  }
}

function inviteView({ projects, ...invite }: LinkRow): Invite {
  return { ...invite, projects: { ...projects } };
}
