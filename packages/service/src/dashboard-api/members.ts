import type { Invite, NewInvite } from '@postern/contract/dashboard';
import { changeRole, inviteMember, removeMember, withdrawInvite } from '../administration/accounts.ts';
import { created, type DashboardRoute, fieldsOf, NO_CONTENT, ok, param } from './route.ts';
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

export const inviteRoutes: DashboardRoute[] = [
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
    run: async (call) => {
      const { role } = fieldsOf<{ role: string }>(call);
      const { invite, token } = await inviteMember(call.admin, role);
      // The token is in the URL fragment, which is never sent to a server or logged.
      const url = `${call.caller.base}/dashboard/invite#token=${token}`;
      return created({ ...invite, url } satisfies NewInvite);
    },
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
