import { createHmac } from 'node:crypto';
import { sameSecret } from '../../model/same-secret.ts';

export interface CookieOptions {
  readonly secret: string;
  /** Whether people use the dashboard over HTTPS. */
  readonly secure: boolean;
  readonly cookiePath: string;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly now: () => number;
}

/** `Set-Cookie` for a cookie that no script can read. */
export function setCookie(
  { secure, cookiePath }: Pick<CookieOptions, 'secure' | 'cookiePath'>,
  cookie: string,
  seconds: number,
  sameSite: 'Strict' | 'Lax' = 'Strict',
): string {
  const attributes = `Max-Age=${seconds}; Path=${cookiePath}; HttpOnly; SameSite=${sameSite}`;
  return `${cookie}; ${attributes}${secure ? '; Secure' : ''}`;
}

/** A random value for a browser. It costs no row in the store: the cookie is signed and says when it ends. */
export function createSignedCookie(
  options: CookieOptions,
  name: 'passkey' | 'company',
  lifetimeMs: number,
  sameSite?: 'Lax',
) {
  const form = new RegExp(`(?:^|;\\s*)postern\\.${name}=([\\w-]{43})\\.(\\d{1,16})\\.([\\w-]{43})(?:;|$)`);
  const sign = (value: string, endsAt: string) =>
    createHmac('sha256', options.secret).update(`${name} ${value} ${endsAt}`).digest('base64url');
  return {
    begin(): { readonly value: string; readonly cookie: string } {
      const value = Buffer.from(options.randomBytes(32)).toString('base64url');
      const endsAt = String(options.now() + lifetimeMs);
      const cookie = `postern.${name}=${value}.${endsAt}.${sign(value, endsAt)}`;
      return { value, cookie: setCookie(options, cookie, lifetimeMs / 1000, sameSite) };
    },
    /** The value that this browser was given, unless it is too old. */
    find(cookies: string): string | undefined {
      const [, value = '', endsAt = '', signature = ''] = form.exec(cookies) ?? [];
      if (value === '' || !sameSecret(signature, sign(value, endsAt))) return undefined;
      return Number(endsAt) > options.now() ? value : undefined;
    },
    /** Takes the cookie away. */
    end: setCookie(options, `postern.${name}=`, 0, sameSite),
  };
}
