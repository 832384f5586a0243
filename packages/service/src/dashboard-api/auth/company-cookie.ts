import { createHash, createHmac } from 'node:crypto';
import { sameSecret } from '../../model/same-secret.ts';
import type { SignInFlow } from './company-provider.ts';
import { type CookieOptions, setCookie } from './set-cookie.ts';

export const FLOW_LIFETIME_MS = 15 * 60_000;
const COOKIE = /(?:^|;\s*)postern\.company=([\w-]{43})\.(\d{1,16})\.([\w-]{43})(?:;|$)/;

/**
 * Anybody may begin a sign-in, so it costs no row in the store: state, nonce and PKCE’s verifier are derived from a cookie
 * that is signed and says when it ends. The browser never learns the verifier. The provider’s page leads back here, so unlike all others the cookie is also sent when another
 * site links to us.
 */
export function createCompanyCookie(options: CookieOptions) {
  const cookieOf = (value: string, seconds: number) =>
    setCookie(options, `postern.company=${value}`, seconds, 'Lax');
  const sign = (seed: string, endsAt: string) =>
    createHmac('sha256', options.secret).update(`company ${seed} ${endsAt}`).digest('base64url');
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
      const seed = Buffer.from(options.randomBytes(32)).toString('base64url');
      const endsAt = String(options.now() + FLOW_LIFETIME_MS);
      const cookie = cookieOf(`${seed}.${endsAt}.${sign(seed, endsAt)}`, FLOW_LIFETIME_MS / 1000);
      return { flow: flowOf(seed), cookie };
    },
    /** The sign-in that this browser began, unless it is too old. */
    find(cookies: string): SignInFlow | undefined {
      const [, seed = '', endsAt = '', signature = ''] = COOKIE.exec(cookies) ?? [];
      if (seed === '' || !sameSecret(signature, sign(seed, endsAt))) return undefined;
      return Number(endsAt) > options.now() ? flowOf(seed) : undefined;
    },
    /** Takes the cookie away. */
    end: cookieOf('', 0),
  };
}

export type CompanyCookie = ReturnType<typeof createCompanyCookie>;
