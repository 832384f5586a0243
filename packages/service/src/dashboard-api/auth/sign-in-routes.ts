import type { AuditAction } from '@postern/contract/dashboard';
import * as z from 'zod';
import { maskedAddress } from '../../model/ip-address.ts';
import { type RevokeOptions, revocation } from '../../operations/accounts.ts';
import type { Administration } from '../../operations/administration.ts';
import { audit } from '../../operations/administration.ts';
import type { ConcurrencyLimit } from '../../operations/operation.ts';
import { type DashboardAnswer, Refused, type RequestFacts } from '../../operations/operation.ts';
import { perform } from '../../operations/perform.ts';
import { readBody } from '../../operations/read-body.ts';
import { PASSWORDS_OFF } from '../../operations/sign-up.ts';
import type { Guard, Headers, Identity } from '../guard.ts';
import type { Attempts } from '../sign-in-throttle.ts';
import type { DeviceCookie } from './device-cookie.ts';
import type { SignInLibrary } from './sign-in-library.ts';

interface SignInRoute {
  /** `session`: only for signed-in members. `open`: for everybody. */
  readonly for: 'session' | 'open';
  /** Its name in the audit log. */
  readonly audited?: AuditAction;
  /** Whether trusted devices must enter the second factor again. */
  readonly distrusts?: true;
  /** Whether `revokeTokens` ends those with the sessions. */
  readonly endsOthers?: true;
  /** Whether it begins a session. A cookie of an older session is then ignored. */
  readonly begins?: true;
  /** Whether it needs a password, which can be switched off. */
  readonly byPassword?: true;
  /** Fields that the caller must not set. */
  readonly fixed?: Readonly<Record<string, unknown>>;
}

/** The library’s routes that the dashboard exposes. All others are not reachable. */
export const SIGN_IN_ROUTES: Readonly<Record<string, SignInRoute>> = {
  '/sign-in/email': { for: 'open', begins: true, byPassword: true, fixed: { callbackURL: undefined } },
  '/two-factor/verify-totp': { for: 'open', byPassword: true },
  '/two-factor/verify-backup-code': { for: 'open', byPassword: true },
  '/sign-out': { for: 'session' },
  '/change-password': {
    for: 'session',
    audited: 'member.password',
    distrusts: true,
    endsOthers: true,
    // A stolen session must not outlive the password that is changed because of it.
    fixed: { revokeOtherSessions: true },
  },
  '/revoke-sessions': {
    for: 'session',
    audited: 'member.sign-out-everywhere',
    distrusts: true,
    endsOthers: true,
  },
  '/revoke-other-sessions': { for: 'session', audited: 'member.sign-out-elsewhere' },
  '/two-factor/enable': { for: 'session', audited: 'member.second-factor-begin', fixed: { method: 'totp' } },
  '/two-factor/disable': { for: 'session', audited: 'member.second-factor-off', distrusts: true },
  '/two-factor/generate-backup-codes': { for: 'session', audited: 'member.backup-codes' },
};

/** A code is valid in its own half minute, the one before and the one after. */
const CODE_LIFETIME_MS = 120_000;

export interface SignInRoutesParts {
  readonly guard: Guard;
  readonly attempts: Attempts;
  readonly devices: DeviceCookie;
  readonly library: () => Promise<SignInLibrary>;
  readonly passwordLimit: ConcurrencyLimit;
  readonly admin: Omit<Administration, 'actor'>;
  /** Whether people sign in with passwords. */
  readonly passwords: boolean;
  /** A sign-in could not be written into the audit log. */
  readonly noteFault: (fault: unknown) => void;
}

export interface SignInRequest {
  readonly path: string;
  readonly headers: Headers;
  readonly facts: RequestFacts;
  readonly body: unknown;
}

/** Puts the dashboard’s rules in front of the library’s routes. */
export function createSignInRoutes(parts: SignInRoutesParts) {
  return async ({ path, headers, facts, body }: SignInRequest): Promise<DashboardAnswer> => {
    const route = SIGN_IN_ROUTES[path];
    if (route === undefined) throw new Refused(404, 'There is no such path.');
    parts.guard.refuseForeignOrigin(headers);
    if (route.byPassword && !parts.passwords) throw new Refused(403, PASSWORDS_OFF);
    // A browser that signs in may still send the cookie of an ended session, for which the form has no token.
    const identity = route.begins ? undefined : await parts.guard.session(headers, true);
    if (route.for === 'session' && identity === undefined) throw new Refused(401, 'Sign in first.');

    const { revokeTokens, ...asked } = { ...(body as { readonly revokeTokens?: unknown } | undefined) };
    const revoked = readBody(Revoked, { revokeTokens });
    const fields = { ...asked, ...route.fixed };
    const counter = counterOf(parts.devices, path, fields, identity, facts);
    if (route.for === 'open') parts.attempts.fromAddress(facts.clientAddress, facts.connectionAddress);
    if (counter !== undefined) await parts.attempts.atAccount(counter);
    const library = await parts.library();
    const handle = () => library.handle(path, { ...facts, body: JSON.stringify(fields) });
    // An attempt on an account hashes a password, so these are limited.
    const answer = await translated(await (counter === undefined ? handle() : parts.passwordLimit(handle)));
    if (path === '/two-factor/verify-totp' && identity === undefined)
      await refuseUsedCode(parts, library, facts, fields, answer);
    if (identity === undefined) noteSignIn(parts, path, fields, facts, answer);
    if (answer.status < 300) {
      if (route.for === 'open') parts.attempts.forgiveAddress(facts.clientAddress, facts.connectionAddress);
      if (counter !== undefined) await parts.attempts.succeeded(counter);
      if (identity !== undefined) {
        if (path === '/two-factor/verify-totp') await endSessionsWithoutFactor(library, facts, answer);
        const left = await finishChange(parts, path, identity.member.id, revoked);
        if (route.endsOthers) return { ...answer, body: { ...(answer.body as object), ...left } };
      } else return introduced(parts.devices, answer, facts);
    }
    return answer;
  };
}

/** How a member signed in, by the library’s route. */
const WAYS_IN: Readonly<Record<string, string>> = {
  '/sign-in/email': 'password',
  '/two-factor/verify-totp': 'second factor',
  '/two-factor/verify-backup-code': 'backup code',
};

/**
 * Writes who signed in, or at whose account a sign-in failed. Only accounts that exist are noted, so that strangers cannot
 * fill the audit log; an account is locked after a few attempts. The answer does not wait for it, or its time would tell which
 * addresses have an account.
 */
function noteSignIn(
  { admin, noteFault }: SignInRoutesParts,
  path: string,
  fields: object,
  { clientAddress }: RequestFacts,
  { status, body }: DashboardAnswer,
): void {
  const by = WAYS_IN[path];
  if (by === undefined || (status >= 400 && path !== '/sign-in/email')) return;
  const via = { address: maskedAddress(clientAddress) };
  const note = async () => {
    const user = userOf(body)?.id;
    if (status < 300) {
      // With a second factor, the password alone does not sign in.
      if (user !== undefined) await audit({ ...admin, actor: user, via }, 'member.sign-in', null, { by });
      return;
    }
    const email = 'email' in fields ? String(fields.email).trim().toLowerCase() : '';
    const member = (await admin.store.members.list()).find((one) => one.email === email);
    if (member === undefined) return;
    const detail = { memberId: member.id, by, status };
    await audit({ ...admin, actor: 'anyone', via }, 'member.sign-in-failed', null, detail);
  };
  note().catch(noteFault);
}

/**
 * The counter for an attempt at a password. Strangers share one counter per account. Signed-in members and known
 * browsers have their own, which no stranger can use up.
 */
function counterOf(
  devices: DeviceCookie,
  path: string,
  fields: object,
  identity: Identity | undefined,
  { cookie }: RequestFacts,
): string | undefined {
  if (identity !== undefined)
    return 'password' in fields || 'currentPassword' in fields ? `member:${identity.member.id}` : undefined;
  if (path !== '/sign-in/email' || !('email' in fields) || typeof fields.email !== 'string') return undefined;
  const account = fields.email.trim().toLowerCase().slice(0, 320);
  const device = devices.find(account, cookie);
  return device === undefined ? `account:${account}` : `device:${device}`;
}

/** A code must be accepted only once (RFC 6238, section 5.2), but the library accepts it as long as it is fresh. */
async function refuseUsedCode(
  { admin }: SignInRoutesParts,
  library: SignInLibrary,
  facts: RequestFacts,
  fields: object,
  { status, body, cookies = [] }: DashboardAnswer,
): Promise<void> {
  if (status >= 300 || !('code' in fields)) return;
  const used = `code:${userOf(body)?.id}:${fields.code}`;
  if ((await admin.store.counters.count(used, CODE_LIFETIME_MS, admin.now())).count === 1) return;
  // The session that the library has just created must not be used.
  await library.handle('/sign-out', { ...facts, cookie: sentBack(cookies), body: '{}' });
  throw new Refused(401, 'This code was already used. Wait for the next one.', { code: 'INVALID_CODE' });
}

/**
 * People often turn on a second factor because a stranger might know the password, who must not stay signed in.
 */
async function endSessionsWithoutFactor(
  library: SignInLibrary,
  facts: RequestFacts,
  { cookies = [] }: DashboardAnswer,
): Promise<void> {
  // Only the code that turns it on creates a new session.
  if (cookies.length > 0)
    await library.handle('/revoke-other-sessions', { ...facts, cookie: sentBack(cookies), body: '{}' });
}

/** What the caller wants to end with the sessions. */
const Revoked = z.strictObject({ revokeTokens: z.boolean().optional() });

/**
 * What the library does not do, and what the audit log says. Access tokens stay valid unless the caller revokes
 * them too, because a password is often changed only for its age. The answer says how many are left. All sessions
 * have ended by now, so none can be added.
 */
function finishChange({ admin }: SignInRoutesParts, path: string, userId: string, revoked: RevokeOptions) {
  const { audited, distrusts, endsOthers } = SIGN_IN_ROUTES[path] ?? {};
  // A correct code together with a session completes the second factor.
  const action = path === '/two-factor/verify-totp' ? 'member.second-factor-on' : audited;
  return perform({ ...admin, actor: userId }, async () => {
    const { write, note, answer } = await revocation(admin, userId, endsOthers ? revoked : {});
    return {
      write: [...(distrusts ? admin.store.members.distrust(userId) : []), ...write],
      note: [...(action === undefined ? [] : [{ action, project: null, detail: {} }]), ...note],
      answer,
    };
  });
}

/** The cookies of a response, as the browser sends them in its next request. */
function sentBack(cookies: readonly string[]): string {
  return cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
}

/**
 * A member who is now signed in is known on this browser from now on. A member who still has to enter the second factor
 * is not signed in.
 */
function introduced(devices: DeviceCookie, answer: DashboardAnswer, facts: RequestFacts): DashboardAnswer {
  const email = userOf(answer.body)?.email;
  if (email === undefined) return answer;
  return { ...answer, cookies: [...(answer.cookies ?? []), ...devices.makeKnown(email, facts.cookie)] };
}

function userOf(body: unknown): { readonly id: string; readonly email: string } | undefined {
  return (body as { readonly user?: { readonly id: string; readonly email: string } }).user;
}

/** The library’s answer in the format of the API: errors as `error`, and no session token that a script could read. */
async function translated(response: Response): Promise<DashboardAnswer> {
  const cookies = response.headers.getSetCookie();
  const text = await response.text();
  const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> | null;
  if (response.status >= 400) {
    const { message, code } = body ?? {};
    const error = typeof message === 'string' && message !== '' ? message : 'This did not work.';
    return { status: response.status, body: { error, ...(code !== undefined && { code }) }, cookies };
  }
  const { token: _token, session: _session, url: _url, redirect: _redirect, ...safe } = body ?? {};
  return { status: 200, body: safe, cookies };
}
