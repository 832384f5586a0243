import type { PasskeyView, SessionView } from '@postern/contract/dashboard';
import { audit, InvalidInput, NotFound, readLine } from '../administration/administration.ts';
import {
  type DashboardRoute,
  fieldsOf,
  memberOf,
  NO_CONTENT,
  ok,
  param,
  refuseOtherFields,
} from './route.ts';

export const MAX_PASSKEY_NAME_LENGTH = 100;

/** A member’s own sessions and passkeys. Members do not see each other’s. */
export const ownSignInRoutes: DashboardRoute[] = [
  {
    method: 'GET',
    path: '/sessions',
    access: 'member',
    run: async (call) => {
      const { members } = call.admin.store;
      const sessions = await members.sessions(memberOf(call).id, call.admin.now());
      const views: SessionView[] = sessions.map(({ token, activeAt, ...session }) => ({
        ...session,
        current: token === call.session?.token,
        lastActiveAt: activeAt,
      }));
      return ok(views);
    },
  },
  {
    method: 'DELETE',
    path: '/sessions/:id',
    access: 'member',
    run: async (call) => {
      const { members } = call.admin.store;
      if (!(await members.endSession(memberOf(call).id, param(call, 'id'))))
        throw new NotFound('This session has already ended.');
      await audit(call.admin, 'member.sign-out-session', null, {});
      return NO_CONTENT;
    },
  },
  {
    method: 'GET',
    path: '/passkeys',
    access: 'member',
    run: async (call) => {
      const passkeys: PasskeyView[] = await call.admin.store.members.passkeys(memberOf(call).id);
      return ok(passkeys);
    },
  },
  {
    method: 'PATCH',
    path: '/passkeys/:id',
    access: 'member',
    run: async (call) => {
      refuseOtherFields(call, ['name']);
      const name = readPasskeyName(fieldsOf<{ name: unknown }>(call).name);
      const { members } = call.admin.store;
      if (!(await members.renamePasskey(memberOf(call).id, param(call, 'id'), name)))
        throw new NotFound('You have no such passkey.');
      return NO_CONTENT;
    },
  },
  {
    method: 'DELETE',
    path: '/passkeys/:id',
    access: 'member',
    run: async (call) => {
      const { members } = call.admin.store;
      if (!(await members.removePasskey(memberOf(call).id, param(call, 'id'))))
        throw new NotFound('You have no such passkey.');
      await audit(call.admin, 'member.passkey-remove', null, {});
      return NO_CONTENT;
    },
  },
];

export function readPasskeyName(name: unknown): string {
  const read = readLine(name, MAX_PASSKEY_NAME_LENGTH);
  if (read === undefined)
    throw new InvalidInput('name', `A passkey’s name has 1 to ${MAX_PASSKEY_NAME_LENGTH} characters.`);
  return read;
}
