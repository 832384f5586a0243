import { createHmac } from 'node:crypto';
import { sameSecret } from '../../model/same-secret.ts';
import { type CookieOptions, setCookie } from './set-cookie.ts';

/** Remembers in a cookie that an account was signed in to from this browser before. */
export interface DeviceCookie {
  /** The ID of this browser for that account, if it has one. */
  find(account: string, cookies: string): string | undefined;
  /** The cookie that makes the browser known to the account. `undefined` if it already is. */
  makeKnown(account: string, cookies: string): readonly string[];
}

const LIFETIME_SECONDS = 180 * 86_400;
const COOKIE = /(?:^|;\s*)postern\.device=([\w-]{22})\.([\w-]{43})(?:;|$)/;

/**
 * Anybody who knows an owner’s address could lock the owner out by guessing wrong passwords. So attempts from a browser
 * that the owner has signed in from are counted separately from those of strangers
 * (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies). The cookie grants no access:
 * it only decides which counter an attempt belongs to.
 */
export function createDeviceCookie(options: Omit<CookieOptions, 'now'>): DeviceCookie {
  const sign = (account: string, name: string) =>
    createHmac('sha256', options.secret).update(`${name} ${account}`).digest('base64url');

  const find = (account: string, cookies: string): string | undefined => {
    const [, name = '', signature = ''] = COOKIE.exec(cookies) ?? [];
    if (name === '') return undefined;
    return sameSecret(signature, sign(account, name)) ? name : undefined;
  };

  return {
    find,
    makeKnown(account, cookies) {
      if (find(account, cookies) !== undefined) return [];
      const name = Buffer.from(options.randomBytes(16)).toString('base64url');
      return [setCookie(options, `postern.device=${name}.${sign(account, name)}`, LIFETIME_SECONDS)];
    },
  };
}
