import type { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac } from 'node:crypto';
import {
  getCurrentAuthContextAsyncLocalStorage,
  getCurrentDBAdapterAsyncLocalStorage,
  getRequestStateAsyncLocalStorage,
} from '@better-auth/core/context';
import { betterAuth } from 'better-auth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Log } from '../../log.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../operations/accounts.ts';
import type { LiveSession } from '../../operations/operation.ts';
import type { AuthDatabase } from '../../store/auth-database.ts';
import { type CookieOptions, setCookie } from './set-cookie.ts';

/** Connects the library’s query builder to the store: no second connection, and no blocking of the event loop. */
function storeDialect(database: AuthDatabase): Dialect {
  const driver = storeDriver(database);
  return database.dialect === 'postgres'
    ? {
        createDriver: () => driver,
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      }
    : {
        createDriver: () => driver,
        createAdapter: () => new SqliteAdapter(),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      };
}

function storeDriver(database: AuthDatabase): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, changed } = await database.query(sql, parameters as (string | number | null)[]);
      return { rows: rows as R[], numAffectedRows: BigInt(changed) };
    },
    // biome-ignore lint/correctness/useYield: the library reads few rows and streams none
    async *streamQuery() {
      throw new Error('The store does not stream');
    },
  };
  const noTransaction = () => Promise.reject(new Error('The store has no open transactions'));
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: noTransaction,
    commitTransaction: noTransaction,
    rollbackTransaction: noTransaction,
    destroy: async () => {},
  };
}

export interface SignInLibraryOptions extends Omit<CookieOptions, 'randomBytes'> {
  readonly database: AuthDatabase;
  /** Throws if the store cannot be used. */
  readonly ping: () => Promise<void>;
  readonly basePath: string;
  /** Whether people sign in with passwords. */
  readonly passwords: boolean;
  readonly log: Log;
}

export interface SignInLibrary {
  session(cookie: string): Promise<LiveSession | undefined>;
  /** Calls one of the library’s own routes. `path` is the part after the base path. */
  handle(path: string, request: LibraryRequest): Promise<Response>;
  /** Begins a session for a member who proved who they are without the library. Returns its cookies. */
  beginSession(userId: string, options: NewSessionOptions): Promise<readonly string[]>;
}

export interface NewSessionOptions {
  /** Whether it began with the company’s sign-in, or otherwise without a password. It then ends after 12 hours. */
  readonly company: boolean;
  readonly userAgent: string;
}

/** A member who was removed at the company’s provider is out after this time. */
const COMPANY_SESSION_SECONDS = 12 * 3_600;

export interface LibraryRequest {
  readonly cookie: string;
  readonly userAgent: string;
  readonly body: string;
}

const DAY_SECONDS = 86_400;
/**
 * The library compares origins with its configured URL. The guard in front of it has already compared the real ones.
 */
const ORIGIN = 'http://dashboard.internal';

export function openSignInLibrary(options: SignInLibraryOptions): SignInLibrary {
  const auth = betterAuth({
    appName: 'Postern',
    baseURL: ORIGIN,
    basePath: options.basePath,
    secret: options.secret,
    database: {
      db: new Kysely({ dialect: storeDialect(options.database) }),
      type: options.database.dialect,
      transaction: false,
    },
    telemetry: { enabled: false },
    // Counted in front of the library, by address and by account.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
    },
    user: { modelName: 'auth_user' },
    account: { modelName: 'auth_account' },
    verification: { modelName: 'auth_verification' },
    session: {
      modelName: 'auth_session',
      expiresIn: 7 * DAY_SECONDS,
      updateAge: DAY_SECONDS,
      additionalFields: { company: { type: 'boolean', required: false, input: false } },
      // An ended session must be invalid immediately, in every process.
      cookieCache: { enabled: false },
    },
    advanced: {
      cookiePrefix: 'postern',
      useSecureCookies: options.secure,
      defaultCookieAttributes: {
        httpOnly: true,
        sameSite: 'strict',
        secure: options.secure,
        path: options.cookiePath,
      },
      ipAddress: { disableIpTracking: true },
    },
    plugins: [twoFactor({ issuer: 'Postern', schema: { twoFactor: { modelName: 'auth_two_factor' } } })],
    logger: {
      level: 'error',
      log: (level, message) => {
        if (level === 'error') options.log.error({ part: 'sign-in' }, message);
      },
    },
  });

  const visit = visitLibrary();
  /** The library turns every failure into the same error. A store that is down must be answered with a 503. */
  const throwIfStoreDown = async (fault: unknown): Promise<never> => {
    await options.ping();
    throw fault;
  };

  return {
    async session(cookie) {
      const { response, headers } = await visit(() =>
        auth.api.getSession({ headers: new Headers({ cookie }), returnHeaders: true }),
      ).catch(throwIfStoreDown);
      if (response === null) return undefined;
      // The library prolongs sessions. A company’s end, however much they are used. One that a password began ends when
      // passwords are switched off.
      const ageSeconds = (options.now() - new Date(response.session.createdAt).getTime()) / 1000;
      const isCompany = response.session.company === true;
      if (isCompany ? ageSeconds >= COMPANY_SESSION_SECONDS : !options.passwords) return undefined;
      return {
        userId: response.user.id,
        token: response.session.token,
        twoFactorEnabled: response.user.twoFactorEnabled === true,
        cookies: headers.getSetCookie(),
      };
    },
    async handle(path, { cookie, userAgent, body }) {
      const headers = {
        'content-type': 'application/json',
        origin: ORIGIN,
        'user-agent': userAgent,
        ...(cookie !== '' && { cookie }),
      };
      const url = `${ORIGIN}${options.basePath}${path}`;
      const request = new Request(url, { method: 'POST', headers, body });
      const response = await visit(() => auth.handler(request));
      if (response.status >= 500)
        await throwIfStoreDown(new Error(`The sign-in library answered ${response.status}`));
      return response;
    },
    async beginSession(userId, { company, userAgent }) {
      const { internalAdapter, authCookies } = await auth.$context;
      const expiresAt = new Date(options.now() + COMPANY_SESSION_SECONDS * 1000);
      const { token } = await visit(() =>
        internalAdapter.createSession(userId, false, { company, userAgent, expiresAt }, true),
      ).catch(throwIfStoreDown);
      const signature = createHmac('sha256', options.secret).update(token).digest('base64');
      const value = encodeURIComponent(`${token}.${signature}`);
      const cookie = `${authCookies.sessionToken.name}=${value}`;
      return [setCookie(options, cookie, COMPANY_SESSION_SECONDS)];
    },
  };
}

/** The AsyncLocalStorage instances of the sign-in library. */
export function libraryContexts(): Promise<AsyncLocalStorage<unknown>[]> {
  return Promise.all([
    getCurrentAuthContextAsyncLocalStorage(),
    getCurrentDBAdapterAsyncLocalStorage(),
    getRequestStateAsyncLocalStorage(),
  ]);
}

/**
 * Runs work in the library’s contexts, and disables them when the last call has left. Before Node 24 a context that was
 * entered once tracks every promise of the process until it is disabled: after one sign-in, each `/validate` would cost
 * a sixth more for the rest of the process’s life.
 */
export function visitLibrary(): <T>(work: () => Promise<T>) => Promise<T> {
  let inside = 0;
  return async (work) => {
    const contexts = await libraryContexts();
    inside += 1;
    try {
      return await work();
    } finally {
      inside -= 1;
      if (inside === 0) for (const context of contexts) context.disable();
    }
  };
}
