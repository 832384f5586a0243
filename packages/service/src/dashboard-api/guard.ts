import { createHmac } from 'node:crypto';
import { CSRF_HEADER, IDLE_HEADER, roleIn } from '@postern/contract/dashboard';
import { BoundedMap } from '../model/bounded-map.ts';
import { sameSecret } from '../model/same-secret.ts';
import { hashSecretToken } from '../model/secret-token.ts';
import type { LiveSession } from '../operations/operation.ts';
import { Refused } from '../operations/operation.ts';
import { ACCESS_TOKEN_PREFIX } from '../operations/own-account.ts';
import type { TokenRow } from '../store/tables/access-token-table.ts';
import type { MemberRow } from '../store/tables/member-row.ts';
import type { MemberStore } from '../store/tables/member-table.ts';
import type { SignInLibrary } from './auth/sign-in-library.ts';

export interface GuardParts {
  readonly members: Pick<MemberStore, 'find' | 'memberByToken' | 'touchToken' | 'touch'>;
  readonly library: () => Promise<SignInLibrary>;
  readonly csrfSecret: string;
  readonly publicUrl: string | undefined;
  readonly now: () => number;
}

export type Headers = (name: string) => string | undefined;

export interface Identity {
  readonly member: MemberRow;
  /** `undefined` if the caller is a script with an access token. */
  readonly session: LiveSession | undefined;
  /** The access token that the caller came with. */
  readonly token?: TokenRow;
}

export interface Guard {
  /** The caller, after checking the CSRF protection of a change. Throws Refused. */
  admit(headers: Headers, changes: boolean): Promise<Identity>;
  /** Checks the CSRF protection if the caller has a session. Callers without one pass. */
  session(headers: Headers, changes: boolean): Promise<Identity | undefined>;
  refuseForeignOrigin(headers: Headers): void;
  csrfToken(session: LiveSession): string;
}

/** People see which tokens and sessions are in use. An accuracy of one minute is enough. */
const TOUCH_EVERY_MS = 60_000;
const MAX_REMEMBERED = 10_000;
const SESSION_COOKIE = /(^|;\s*)(__Secure-)?postern\.session_token=/;

export function createGuard(parts: GuardParts): Guard {
  const csrfToken = (session: LiveSession) =>
    createHmac('sha256', parts.csrfSecret).update(session.token).digest('base64url');

  const refuseForeignOrigin = (headers: Headers) => {
    const origin = headers('origin');
    const site = headers('sec-fetch-site');
    const foreign = origin !== undefined && !isOwnOrigin(origin, headers('host'), parts.publicUrl);
    if (foreign || site === 'cross-site')
      throw new Refused(
        403,
        'This request came from another site. Behind a proxy, set POSTERN_PUBLIC_URL to the address people use.',
      );
  };

  const session = async (headers: Headers, changes: boolean): Promise<Identity | undefined> => {
    const cookie = headers('cookie');
    if (cookie === undefined || !SESSION_COOKIE.test(cookie)) return undefined;
    const live = await (await parts.library()).session(cookie);
    const member = live && (await parts.members.find(live.userId));
    if (live === undefined || member === undefined) return undefined;
    if (changes) {
      refuseForeignOrigin(headers);
      if (!sameSecret(headers(CSRF_HEADER.toLowerCase()) ?? '', csrfToken(live)))
        throw new Refused(403, `A change needs the ${CSRF_HEADER} header from GET /session.`);
    }
    return { member, session: live };
  };

  const byToken = async (authorization: string): Promise<Identity | undefined> => {
    const [scheme, token = ''] = authorization.split(' ', 2);
    if (scheme?.toLowerCase() !== 'bearer' || !token.startsWith(ACCESS_TOKEN_PREFIX)) return undefined;
    const now = parts.now();
    const found = await parts.members.memberByToken(hashSecretToken(token), now);
    if (found === undefined) return undefined;
    if (isDue(found.token, now)) await parts.members.touchToken(found.token.id, now);
    const { member, token: row } = found;
    return { member: memberWith(row, member), session: undefined, token: row };
  };

  const touched = new BoundedMap<string, number>(MAX_REMEMBERED);
  const touch = async ({ member, session: live }: Identity) => {
    const now = parts.now();
    const key = live?.token ?? member.id;
    if (now - (touched.get(key) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY_MS) return;
    touched.set(key, now);
    await parts.members.touch(member.id, live?.token ?? null, now);
  };

  return {
    csrfToken,
    refuseForeignOrigin,
    session,
    async admit(headers, changes) {
      const authorization = headers('authorization');
      const identity =
        authorization === undefined ? await session(headers, changes) : await byToken(authorization);
      if (identity === undefined)
        throw new Refused(
          401,
          authorization === undefined
            ? 'Sign in first.'
            : 'This access token is unknown, removed or expired.',
        );
      if (headers(IDLE_HEADER.toLowerCase()) === undefined) await touch(identity);
      return identity;
    },
  };
}

/** The member as far as the token goes. In one project an owner is an admin of it. */
function memberWith({ onlyProject }: TokenRow, member: MemberRow): MemberRow {
  if (onlyProject === null) return member;
  const role = roleIn(member, onlyProject);
  const projects = role === 'none' ? {} : { [onlyProject]: role === 'owner' ? ('admin' as const) : role };
  return { ...member, role: 'none', projects };
}

function isDue({ lastUsedAt }: TokenRow, now: number): boolean {
  return lastUsedAt === null || now - lastUsedAt >= TOUCH_EVERY_MS;
}

/** The page’s own origin is the requested host, or the public address if a proxy rewrites the host. */
function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string | undefined): boolean {
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  return (
    host !== undefined &&
    /^https?:\/\//.test(origin) &&
    origin.replace(/^https?:\/\//, '') === host.toLowerCase()
  );
}
