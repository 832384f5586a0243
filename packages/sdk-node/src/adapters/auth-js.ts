import type { EvaluateOptions, RefusedSignUp } from '../evaluate-sign-up.ts';
import type { PosternServerClient } from '../postern-server-client.ts';

export interface AuthJsOptions extends EvaluateOptions {
  /** Auth.js calls `signIn` for every sign-in; return `true` for people who already have an account. */
  hasAccount?: (email: string) => boolean | Promise<boolean>;
  /** Where a refused person is sent, for example with the message. Without it Auth.js shows its own “Access denied”. */
  redirectTo?: string | ((refusal: RefusedSignUp) => string);
  onRefused?: (refusal: RefusedSignUp) => void;
}

/** The `signIn` callback of Auth.js (NextAuth) that refuses a blocked sign-up. */
export function authJsSignIn(postern: PosternServerClient, options: AuthJsOptions = {}) {
  return async ({ user }: { user: { email?: string | null } }): Promise<boolean | string> => {
    const { email } = user;
    // Some providers give no address. Auth.js decides about those.
    if (!email || (await options.hasAccount?.(email))) return true;
    const result = await postern.evaluateSignUp({ email }, options);
    if (result.accepted) return true;
    try {
      options.onRefused?.(result);
    } catch (error) {
      console.error(error);
    }
    const { redirectTo } = options;
    return (typeof redirectTo === 'function' ? redirectTo(result) : redirectTo) ?? false;
  };
}
