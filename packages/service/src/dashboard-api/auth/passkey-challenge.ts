import { createHmac } from 'node:crypto';
import { sameSecret } from '../../model/same-secret.ts';

/** What a passkey has to sign, kept in a cookie of the browser that asked for it. */
export interface PasskeyChallenges {
  /** WebAuthn’s options for signing in, and the cookie with their challenge. */
  begin(): { readonly options: object; readonly cookie: string };
  /** The challenge that this browser was given, unless it is too old. */
  find(cookies: string): string | undefined;
}

export interface PasskeyChallengeOptions {
  readonly secret: string;
  readonly secure: boolean;
  readonly cookiePath: string;
  /** The host that passkeys belong to. */
  readonly host: string;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly now: () => number;
}

export const CHALLENGE_LIFETIME_MS = 5 * 60_000;
const COOKIE = /(?:^|;\s*)postern\.passkey=([\w-]{43})\.(\d{1,16})\.([\w-]{43})(?:;|$)/;

/**
 * Anybody may ask for a challenge, so it costs no row in the store: the cookie is signed and says when it ends. That it
 * is used only once is counted when a member signs in with it.
 */
export function createPasskeyChallenges(options: PasskeyChallengeOptions): PasskeyChallenges {
  const sign = (challenge: string, endsAt: string) =>
    createHmac('sha256', options.secret).update(`passkey ${challenge} ${endsAt}`).digest('base64url');
  return {
    begin() {
      const challenge = Buffer.from(options.randomBytes(32)).toString('base64url');
      const endsAt = String(options.now() + CHALLENGE_LIFETIME_MS);
      const attributes = `Max-Age=${CHALLENGE_LIFETIME_MS / 1000}; Path=${options.cookiePath}; HttpOnly; SameSite=Strict`;
      const cookie = `postern.passkey=${challenge}.${endsAt}.${sign(challenge, endsAt)}; ${attributes}`;
      return {
        options: { challenge, rpId: options.host, userVerification: 'required', timeout: 60_000 },
        cookie: options.secure ? `${cookie}; Secure` : cookie,
      };
    },
    find(cookies) {
      const [, challenge = '', endsAt = '', signature = ''] = COOKIE.exec(cookies) ?? [];
      if (challenge === '' || !sameSecret(signature, sign(challenge, endsAt))) return undefined;
      return Number(endsAt) > options.now() ? challenge : undefined;
    },
  };
}
