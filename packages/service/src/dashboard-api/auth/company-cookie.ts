import { createHash, createHmac } from 'node:crypto';
import { sameSecret } from '../../model/same-secret.ts';
import type { SignInFlow } from './company-provider.ts';

export interface CompanyCookieOptions {
  readonly secret: string;
  readonly secure: boolean;
  readonly cookiePath: string;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly now: () => number;
}

export const FLOW_LIFETIME_MS = 15 * 60_000;
const COOKIE = /(?:^|;\s*)postern\.company=([\w-]{43})\.(\d{1,16})\.([\w-]{43})(?:;|$)/;

/**
 * Anybody may begin a sign-in, so it costs no row in the store: state, nonce and PKCE’s verifier are derived from a
 * signed cookie. The browser never learns the verifier. The provider’s page leads back here, so unlike all others the
 * cookie is also sent when another site links to us.
 */
export function createCompanyCookie(options: CompanyCookieOptions) {
  const derive = (purpose: string, text: string) =>
    createHmac('sha256', options.secret).update(`company ${purpose} ${text}`).digest('base64url');
  const attributes = (seconds: number) =>
    `Max-Age=${seconds}; Path=${options.cookiePath}; HttpOnly; SameSite=Lax${options.secure ? '; Secure' : ''}`;
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
      const value = `${seed}.${endsAt}.${derive('cookie', `${seed} ${endsAt}`)}`;
      return {
        flow: flowOf(seed),
        cookie: `postern.company=${value}; ${attributes(FLOW_LIFETIME_MS / 1000)}`,
      };
    },
    /** The sign-in that this browser began, unless it is too old. */
    find(cookies: string): SignInFlow | undefined {
      const [, seed = '', endsAt = '', signature = ''] = COOKIE.exec(cookies) ?? [];
      if (seed === '' || !sameSecret(signature, derive('cookie', `${seed} ${endsAt}`))) return undefined;
      return Number(endsAt) > options.now() ? flowOf(seed) : undefined;
    },
    /** Takes the cookie away. */
    end: `postern.company=; ${attributes(0)}`,
  };
}

export type CompanyCookie = ReturnType<typeof createCompanyCookie>;
