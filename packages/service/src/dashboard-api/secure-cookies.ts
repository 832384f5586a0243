import type { Headers } from './guard.ts';

export interface SecureCookiesParts {
  /** The service speaks TLS itself, or its public address begins with `https://`. */
  readonly always: boolean;
  /** Whether forwarding headers from this peer count. */
  readonly trustsPeer: (peer: string) => boolean;
  /** Called once, when only the browser says that the page came by HTTPS. */
  readonly onUnsaid: () => void;
}

export type SecureCookies = (cookies: readonly string[], peer: string, headers: Headers) => readonly string[];

/**
 * Behind a proxy that speaks TLS, a service that was not told its public address takes every connection for plain
 * HTTP. A cookie without Secure would then travel in the clear as soon as somebody types the address with `http://`
 * (RFC 6265, section 8.3). So the proxy’s word counts, and the browser’s: a stranger who lies about either
 * only makes his own cookie stricter.
 */
export function createSecureCookies({ always, trustsPeer, onUnsaid }: SecureCookiesParts): SecureCookies {
  let told = false;
  return (cookies, peer, headers) => {
    if (always || cookies.length === 0) return cookies;
    if (!saysHttps(headers('x-forwarded-proto')) || !trustsPeer(peer)) {
      if (headers('origin')?.startsWith('https://') !== true) return cookies;
      // Requests that carry no Origin may renew a session too, and then nothing tells that it is a secure one.
      if (!told) onUnsaid();
      told = true;
    }
    return cookies.map((cookie) => (/;\s*secure(?:;|$)/i.test(cookie) ? cookie : `${cookie}; Secure`));
  };
}

/** Of several proxies the first one spoke with the browser. */
function saysHttps(forwardedProto: string | undefined): boolean {
  return forwardedProto?.split(',', 1)[0]?.trim().toLowerCase() === 'https';
}
