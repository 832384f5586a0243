import type { PasskeyView, SessionView } from '@postern/contract/dashboard';
import { audit, InvalidInput, NotFound, readLine } from '../administration/administration.ts';
import { type DashboardHandlers, memberOf, NO_CONTENT, ok } from '../operations/operation.ts';

const MAX_PASSKEY_NAME_LENGTH = 100;

/** A member’s own sessions and passkeys. Members do not see each other’s. */
export const ownSignInRoutes = {
  'GET /sessions': async (call) => {
    const { members } = call.admin.store;
    const sessions = await members.sessions(memberOf(call).id, call.admin.now());
    const views: SessionView[] = sessions.map(({ token, activeAt, ...session }) => ({
      ...session,
      current: token === call.session?.token,
      lastActiveAt: activeAt,
    }));
    return ok(views);
  },
  'DELETE /sessions/:id': async (call) => {
    const { members } = call.admin.store;
    if (!(await members.endSession(memberOf(call).id, call.params.id)))
      throw new NotFound('This session has already ended.');
    await audit(call.admin, 'member.sign-out-session', null, {});
    return NO_CONTENT;
  },
  'GET /passkeys': async (call) => {
    const passkeys: PasskeyView[] = await call.admin.store.members.passkeys(memberOf(call).id);
    return ok(passkeys);
  },
  'PATCH /passkeys/:id': async (call) => {
    const { name } = call.body;
    const { members } = call.admin.store;
    if (!(await members.renamePasskey(memberOf(call).id, call.params.id, name)))
      throw new NotFound('You have no such passkey.');
    return NO_CONTENT;
  },
  'DELETE /passkeys/:id': async (call) => {
    const { members } = call.admin.store;
    if (!(await members.removePasskey(memberOf(call).id, call.params.id)))
      throw new NotFound('You have no such passkey.');
    await audit(call.admin, 'member.passkey-remove', null, {});
    return NO_CONTENT;
  },
} satisfies Partial<DashboardHandlers>;

export function readPasskeyName(name: unknown): string {
  const read = readLine(name, MAX_PASSKEY_NAME_LENGTH);
  if (read === undefined)
    throw new InvalidInput('name', `A passkey’s name has 1 to ${MAX_PASSKEY_NAME_LENGTH} characters.`);
  return read;
}
