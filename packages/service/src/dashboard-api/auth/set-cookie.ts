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
