import type { Invite, NewInvite } from '@postern/contract/dashboard';
import { type AccountMail, mailInvite, readInvitee } from '../administration/account-mail.ts';
import { changeRole, inviteMember, removeMember, withdrawInvite } from '../administration/accounts.ts';
import type { Log } from '../log.ts';
import { created, type DashboardHandlers, NO_CONTENT, ok, type RouteCall } from '../operations/operation.ts';
import type { LinkRow } from '../store/tables/account-link-table.ts';
import { memberView } from './session.ts';

export const memberRoutes = {
  'GET /members': async ({ admin }) => ok((await admin.store.members.list()).map(memberView)),
  'PATCH /members/:id': async (call) => {
    const fields = call.body;
    return ok(memberView(await changeRole(call.admin, call.params.id, fields)));
  },
  'DELETE /members/:id': async (call) => {
    await removeMember(call.admin, call.params.id);
    return NO_CONTENT;
  },
} satisfies Partial<DashboardHandlers>;

export interface InviteParts {
  readonly accountMail: AccountMail;
  readonly log: Log;
}

export function inviteRoutes(parts: InviteParts) {
  return {
    'GET /invites': async ({ admin }) => {
      return ok((await admin.store.members.invites(admin.now())).map(inviteView));
    },
    'POST /invites': async (call) => created(await makeInvite(call, parts)),
    'DELETE /invites/:id': async (call) => {
      await withdrawInvite(call.admin, call.params.id);
      return NO_CONTENT;
    },
  } satisfies Partial<DashboardHandlers>;
}

async function makeInvite(
  call: RouteCall<'POST /invites'>,
  { accountMail, log }: InviteParts,
): Promise<NewInvite> {
  const { role, projects, email } = call.body;
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
