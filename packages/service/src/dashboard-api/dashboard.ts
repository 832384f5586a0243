import { HOUR_MS } from '@postern/contract';
import { DASHBOARD_AUTH } from '@postern/contract/dashboard';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../log.ts';
import type { RoleRule } from '../model/company-roles.ts';
import type { Administration } from '../operations/administration.ts';
import { createBulkCheckSlots } from '../operations/bulk-check-slots.ts';
import { createMemberRateLimit } from '../operations/member-rate-limit.ts';
import { type ConcurrencyLimit, Refused } from '../operations/operation.ts';
import { createCompanyCookie } from './auth/company-cookie.ts';
import type { CompanyProvider, CompanySettings } from './auth/company-provider.ts';
import { createCompanySignIn } from './auth/company-sign-in.ts';
import { createDeviceCookie } from './auth/device-cookie.ts';
import type { SignInLibrary } from './auth/sign-in-library.ts';
import { createSignInRoutes } from './auth/sign-in-routes.ts';
import { createGuard, type Headers } from './guard.ts';
import { addDashboardPages } from './pages.ts';
import { addDashboardApi } from './plugin.ts';
import { dashboardRoutes, type RoutesParts } from './routes.ts';
import { createSecureCookies } from './secure-cookies.ts';
import { createAttempts } from './sign-in-throttle.ts';

export interface DashboardParts
  extends Omit<
    RoutesParts,
    | 'guard'
    | 'attempts'
    | 'devices'
    | 'library'
    | 'passwordLimit'
    | 'longReads'
    | 'limitMember'
    | 'bulkCheckSlots'
  > {
  readonly admin: Omit<Administration, 'actor'>;
  readonly clientAddress: (peer: string, headers: Headers) => string;
  readonly connectionAddress: (peer: string, headers: Headers) => string;
  /** Whether forwarding headers from this peer are trusted. */
  readonly trustsPeer: (peer: string) => boolean;
  readonly publicUrl: string | undefined;
  /** The company’s sign-in, if there is one. */
  readonly company:
    | (CompanySettings & { readonly name: string; readonly roles: readonly RoleRule[] })
    | undefined;
  readonly tls: boolean;
  /** Where the pages’ build is. */
  readonly pagesFolder: string;
  readonly log: Log;
}

/** Half of the threads that Node has for slow work. */
const PASSWORDS_AT_ONCE = 2;
const PASSWORDS_WAITING = 30;
/** More than a person needs, and too little for a service that wants to avoid its quota. */
const PLAYS_PER_HOUR = 300;

/** Adds pages, sign-in and API under `/dashboard`. */
export async function addDashboard(server: FastifyInstance, parts: DashboardParts): Promise<void> {
  const { admin, publicUrl, tls, log } = parts;
  const secret = (name: string) =>
    admin.store.instance.secret(name, () => Buffer.from(admin.randomBytes(32)).toString('base64url'));
  const [authSecret, csrfSecret, deviceSecret] = await Promise.all([
    secret('dashboard-auth'),
    secret('dashboard-csrf'),
    secret('dashboard-device'),
  ]);
  if (parts.accountMail.sender !== undefined && publicUrl === undefined)
    log.warn('people cannot get a new password by mail: set POSTERN_PUBLIC_URL, which the link starts with');
  const cookies = {
    secret: deviceSecret,
    secure: tls || publicUrl?.startsWith('https://') === true,
    cookiePath: '/dashboard',
    randomBytes: admin.randomBytes,
    now: admin.now,
  };

  // The library is slow to load, so it is loaded when the dashboard is first opened.
  let opened: Promise<SignInLibrary> | undefined;
  const library = (): Promise<SignInLibrary> => {
    opened ??= import('./auth/sign-in-library.ts').then(({ openSignInLibrary }) =>
      openSignInLibrary({
        database: admin.store.auth,
        ping: admin.store.ping,
        ...cookies,
        secret: authSecret,
        basePath: DASHBOARD_AUTH,
        passwords: parts.passwords,
        log,
      }),
    );
    return opened;
  };

  const { members } = admin.store;
  const guard = createGuard({ members, library, csrfSecret, publicUrl, now: admin.now });
  const attempts = createAttempts(admin.store.counters, admin.now);
  const devices = createDeviceCookie(cookies);
  const passwordLimit = createConcurrencyLimit(PASSWORDS_AT_ONCE, PASSWORDS_WAITING);
  const limitMember = createMemberRateLimit(PLAYS_PER_HOUR, HOUR_MS, admin.now);
  const longReads = createConcurrencyLimit(1, Number.POSITIVE_INFINITY);
  const bulkCheckSlots = createBulkCheckSlots();
  server.addHook('preClose', async () => bulkCheckSlots.close());
  const signIn = createSignInRoutes({
    guard,
    attempts,
    devices,
    library,
    passwordLimit: passwordLimit,
    admin,
    passwords: parts.passwords,
    noteFault: (fault) => log.error({ err: fault }, 'could not write a sign-in into the audit log'),
  });
  const { company } = parts;
  let provider: Promise<CompanyProvider> | undefined;
  const companySignIn =
    company &&
    createCompanySignIn({
      ...company,
      provider: () => {
        provider ??= import('./auth/company-provider.ts').then(({ createCompanyProvider }) =>
          createCompanyProvider(company, admin.now),
        );
        return provider;
      },
      cookie: createCompanyCookie(cookies),
      attempts,
      library,
      admin,
      log,
    });
  const routes = dashboardRoutes({
    ...parts,
    guard,
    attempts,
    devices,
    library,
    passwordLimit: passwordLimit,
    longReads,
    limitMember,
    bulkCheckSlots,
  });
  const secureCookies = createSecureCookies({
    always: cookies.secure,
    trustsPeer: parts.trustsPeer,
    onUnsaid: () =>
      log.warn(
        'people open the dashboard over HTTPS, but neither POSTERN_PUBLIC_URL nor X-Forwarded-Proto says so; set POSTERN_PUBLIC_URL to the address they use, so that its cookies are always Secure and printed links are right',
      ),
  });
  server.register(async (scope) =>
    addDashboardApi(scope, { ...parts, routes, guard, longReads, signIn, companySignIn, secureCookies }),
  );
  server.register(async (scope) => addDashboardPages(scope, parts.pagesFolder));
}

/**
 * Hashing a password is slow on purpose and uses a thread that others need too. A few run in parallel, some wait, and
 * the rest are refused immediately instead of piling up.
 */
export function createConcurrencyLimit(atOnce: number, mostWaiting: number): ConcurrencyLimit {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting)
        throw new Refused(503, 'Too many people are signing in right now. Try again in a few seconds.', {
          retryAfter: 5,
        });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
