import type { Headers } from './guard.ts';

export interface SecureCookiesParts {
  /** The service speaks TLS itself, or its public address begins with `https://`. */
  readonly always: boolean;
  /** Whether forwarding headers from this peer are trusted. */
  readonly trustsPeer: (peer: string) => boolean;
  /** Called once, when only the browser says that the page came by HTTPS. */
  readonly onUnsaid: () => void;
}

export type SecureCookies = (cookies: readonly string[], peer: string, headers: Headers) => readonly string[];

/**
 * Behind a TLS proxy, a service without a configured public address sees every connection as plain HTTP. A cookie
 * without Secure would be sent in clear text as soon as a member types the address with `http://` (RFC 6265, section
 * 8.3). So the headers of the proxy and of the browser both count. A client that forges them only makes its own cookie
 * stricter.
 */
export function createSecureCookies({ always, trustsPeer, onUnsaid }: SecureCookiesParts): SecureCookies {
  let reported = false;
  return (cookies, peer, headers) => {
    if (always || cookies.length === 0) return cookies;
    if (!saysHttps(headers('x-forwarded-proto')) || !trustsPeer(peer)) {
      if (headers('origin')?.startsWith('https://') !== true) return cookies;
      // Requests without an Origin can renew a session too, and then nothing shows that it is a secure one.
      if (!reported) onUnsaid();
      reported = true;
    }
    return cookies.map((cookie) => (/;\s*secure(?:;|$)/i.test(cookie) ? cookie : `${cookie}; Secure`));
  };
}

/** With several proxies, the first entry comes from the one next to the browser. */
function saysHttps(forwardedProto: string | undefined): boolean {
  return forwardedProto?.split(',', 1)[0]?.trim().toLowerCase() === 'https';
}
