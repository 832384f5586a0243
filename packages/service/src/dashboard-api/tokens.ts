import type { AccessToken, NewAccessToken } from '@postern/contract/dashboard';
import { createAccessToken, removeAccessToken } from '../administration/access-tokens.ts';
import { created, type DashboardHandlers, memberOf, NO_CONTENT, ok } from '../operations/operation.ts';
import type { TokenRow } from '../store/tables/access-token-table.ts';

/** A member’s own tokens. Members do not see each other’s tokens. */
export const tokenRoutes = {
  'GET /tokens': async (call) =>
    ok((await call.admin.store.members.tokens(memberOf(call).id)).map(tokenView)),
  'POST /tokens': async (call) => {
    const { name, expiresInDays } = call.body;
    const { token, secret } = await createAccessToken(call.admin, memberOf(call).id, {
      name,
      expiresInDays,
    });
    return created({ ...tokenView(token), token: secret } satisfies NewAccessToken);
  },
  'DELETE /tokens/:id': async (call) => {
    await removeAccessToken(call.admin, memberOf(call).id, call.params.id);
    return NO_CONTENT;
  },
} satisfies Partial<DashboardHandlers>;

function tokenView({ userId: _userId, ...token }: TokenRow): AccessToken {
  return token;
}
