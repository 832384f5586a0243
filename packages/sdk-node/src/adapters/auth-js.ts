import type { RequestEvent } from '@postern/contract';
import {
  checkAdapterOptions,
  type EvaluateOptions,
  type RefusalOptions,
  reportRefusal,
} from '../evaluate-options.ts';
import type { PosternServerClient } from '../postern-server-client.ts';
import type { AcceptedSignUp, RefusedSignUp } from '../sign-up-result.ts';

export interface AuthJsOptions extends EvaluateOptions, RefusalOptions {
  /** Auth.js calls `signIn` for every sign-in; return `true` for people who already have an account. */
  hasAccount?: ((email: string) => boolean | Promise<boolean>) | undefined;
  /** Where a refused person is sent, for example with the message. Without it Auth.js shows its own “Access denied”. */
  redirectTo?: string | ((refusal: RefusedSignUp) => string) | undefined;
  /** Called with the result of each sign-up that passes: Auth.js has no place to keep it. */
  onAccepted?: ((signUp: AcceptedSignUp) => void | Promise<void>) | undefined;
}

interface SignIn {
  readonly user: { readonly email?: string | null };
  readonly account?: { readonly type?: string } | null;
}

/** Which door a kind of account is. */
const EVENT_OF: Readonly<Record<string, RequestEvent | undefined>> = {
  oauth: 'oauth',
  oidc: 'oauth',
  email: 'magic_link',
  webauthn: 'sign_up',
};

/** The `signIn` callback of Auth.js (NextAuth) that refuses a blocked sign-up. */
export function authJsSignIn(postern: PosternServerClient, options: AuthJsOptions = {}) {
  checkAdapterOptions(options, { hasAccount: true, redirectTo: true, onAccepted: true });
  const { hasAccount: _has, redirectTo: _to, onAccepted: _on, ...evaluateOptions } = options;
  return async ({ user, account }: SignIn): Promise<boolean | string> => {
    const { email } = user;
    // Some providers give no address. Auth.js decides about those.
    if (!email || (await options.hasAccount?.(email))) return true;
    const event = options.event ?? EVENT_OF[account?.type ?? ''];
    const result = await postern.evaluateSignUp({ email }, { ...evaluateOptions, event });
    const refusal = result.accepted ? result.wouldRefuse : result;
    if (refusal !== null) reportRefusal(options, refusal);
    if (result.accepted) {
      await options.onAccepted?.(result);
      return true;
    }
    const { redirectTo } = options;
    return (typeof redirectTo === 'function' ? redirectTo(result) : redirectTo) ?? false;
  };
}
