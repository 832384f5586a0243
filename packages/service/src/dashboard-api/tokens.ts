import type { AccessToken, NewAccessToken } from '@postern/contract/dashboard';
import { createAccessToken, removeAccessToken } from '../administration/access-tokens.ts';
import type { TokenRow } from '../store/tables/access-token-table.ts';
import { created, type DashboardRoute, fieldsOf, memberOf, NO_CONTENT, ok, param, Refused } from './route.ts';

/** A member’s own tokens. Members do not see each other’s tokens. */
export const tokenRoutes: DashboardRoute[] = [
  {
    method: 'GET',
    path: '/tokens',
    access: 'member',
    run: async (call) => ok((await call.admin.store.members.tokens(memberOf(call).id)).map(tokenView)),
  },
  {
    method: 'POST',
    path: '/tokens',
    access: 'member',
    run: async (call) => {
      // Otherwise a stolen token could create further tokens that outlive it.
      if (call.session === undefined) throw new Refused(403, 'Sign in to create an access token.');
      const { name, expiresInDays } = fieldsOf<{ name: string; expiresInDays: number }>(call);
      const { token, secret } = await createAccessToken(call.admin, memberOf(call).id, {
        name,
        expiresInDays,
      });
      return created({ ...tokenView(token), token: secret } satisfies NewAccessToken);
    },
  },
  {
    method: 'DELETE',
    path: '/tokens/:id',
    access: 'member',
    run: async (call) => {
      await removeAccessToken(call.admin, memberOf(call).id, param(call, 'id'));
      return NO_CONTENT;
    },
  },
];

function tokenView({ userId: _userId, ...token }: TokenRow): AccessToken {
  return token;
}
