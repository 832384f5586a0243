import { createHash, createHmac } from 'node:crypto';
import type { SignInFlow } from './company-provider.ts';
import { type CookieOptions, createSignedCookie } from './signed-cookie.ts';

export const FLOW_LIFETIME_MS = 15 * 60_000;

/**
 * Anybody may begin a sign-in: state, nonce and PKCE’s verifier are derived from a signed cookie. The browser never
 * learns the verifier. The provider’s page leads back here, so unlike all others the cookie is also sent when another
 * site links to us.
 */
export function createCompanyCookie(options: CookieOptions) {
  const signed = createSignedCookie(options, 'company', FLOW_LIFETIME_MS, 'Lax');
  const derive = (purpose: string, seed: string) =>
    createHmac('sha256', options.secret).update(`company ${purpose} ${seed}`).digest('base64url');
  const flowOf = (seed: string): SignInFlow => {
    const verifier = derive('verifier', seed);
    return {
      state: derive('state', seed),
      nonce: derive('nonce', seed),
      verifier,
      challenge: createHash('sha256').update(verifier).digest('base64url'),
    };
  };
  return {
    begin(): { readonly flow: SignInFlow; readonly cookie: string } {
      const { value, cookie } = signed.begin();
      return { flow: flowOf(value), cookie };
    },
    /** The sign-in that this browser began, unless it is too old. */
    find(cookies: string): SignInFlow | undefined {
      const seed = signed.find(cookies);
      return seed === undefined ? undefined : flowOf(seed);
    },
    end: signed.end,
  };
}

export type CompanyCookie = ReturnType<typeof createCompanyCookie>;
