import { randomBytes } from 'node:crypto';
import { CSRF_HEADER, DASHBOARD_API, DASHBOARD_AUTH, type MemberRole } from '@postern/contract/dashboard';
import { createAccount } from '../../dist/operations/accounts.js';
import { offerSetup } from '../../dist/operations/links.js';
import type { Answer } from './http-client.ts';
import { keepCookies } from './keep-cookies.ts';
import type { TestService } from './service.ts';

export const PASSWORD = 'correct horse battery';

export interface DashboardClient {
  readonly email: string;
  /** The session’s cookie, as a browser would send it. */
  readonly cookie: () => string;
  readonly call: (method: string, path: string, body?: unknown, headers?: Headers) => Promise<Answer>;
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, body?: unknown) => Promise<Answer>;
  /** One of the sign-in routes. */
  readonly auth: (path: string, body?: unknown, headers?: Headers) => Promise<Answer>;
}

type Headers = Readonly<Record<string, string>>;

/** A client without an account that keeps its cookies. */
export function visitor(service: TestService, email = ''): DashboardClient {
  const jar = new Map<string, string>();
  let csrf = '';
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = async (method: string, path: string, body?: unknown, headers: Headers = {}) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await service.ask({
      method,
      path,
      headers: {
        // Node sends the body of a DELETE only with a Content-Length.
        ...(text !== undefined && { 'content-length': String(Buffer.byteLength(text)) }),
        ...(jar.size > 0 && { cookie: cookie() }),
        ...(csrf !== '' && { [CSRF_HEADER]: csrf }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text !== undefined && { body: text }),
    });
    keepCookies(jar, answer.headers['set-cookie']?.split(/,\s*(?=[\w.-]+=)/) ?? []);
    return answer;
  };
  const call: DashboardClient['call'] = (method, path, body, headers) =>
    send(method, DASHBOARD_API + path, body, headers);
  const refresh = async () => {
    csrf = (await call('GET', '/session')).json?.csrf ?? '';
  };
  return {
    email,
    cookie,
    call: async (...args) => {
      const answer = await call(...args);
      if (args[1] === '/setup' || args[1] === '/invites/accept') await refresh();
      return answer;
    },
    get: (path) => call('GET', path),
    post: (path, body = {}) => call('POST', path, body),
    auth: async (path, body = {}, headers = {}) => {
      const answer = await send('POST', DASHBOARD_AUTH + path, body, headers);
      await refresh();
      return answer;
    },
  };
}

/** A signed-in member with that role. */
export async function member(service: TestService, role: MemberRole): Promise<DashboardClient> {
  const email = `${role}-${randomBytes(4).toString('hex')}@example.com`;
  await service.admin((admin) =>
    createAccount(admin, { name: `A ${role}`, email, password: PASSWORD }, role),
  );
  const client = visitor(service, email);
  const answer = await client.auth('/sign-in/email', { email, password: PASSWORD });
  if (answer.status !== 200) throw new Error(`Sign-in answered ${answer.status}: ${answer.text}`);
  return client;
}

/** The token of a new set-up link. */
export async function setupToken(service: TestService): Promise<string> {
  const token = await service.admin(offerSetup);
  if (token === undefined) throw new Error('Somebody has an account already');
  return token;
}
