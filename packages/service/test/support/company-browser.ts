import { COMPANY_SIGN_IN_PATH, DASHBOARD_AUTH } from '@postern/contract/dashboard';
import { keepCookies } from './keep-cookies.ts';
import type { TestService } from './service.ts';
import type { TestProvider } from './test-oidc-provider.ts';

export const BEGIN = DASHBOARD_AUTH + COMPANY_SIGN_IN_PATH;
const ROLES = 'groups=owners:owner,groups=team:analyst,groups=shop-team:admin@shop';

export const companySettings = (provider: TestProvider, roles = ROLES) => ({
  POSTERN_OIDC_ISSUER: provider.issuer,
  POSTERN_OIDC_CLIENT_ID: provider.clientId,
  POSTERN_OIDC_CLIENT_SECRET: provider.clientSecret,
  POSTERN_OIDC_NAME: 'Example Inc.',
  POSTERN_OIDC_ROLES: roles,
});

/** Follows the redirects as a browser does, with a cookie jar for each site. Returns where it ends. */
export function browser(service: TestService) {
  const jars = new Map<string, Map<string, string>>();
  const steps: string[] = [];
  const request = async (
    url: string,
    method = 'GET',
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const { origin, pathname, search } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(origin + pathname + search, {
      method,
      redirect: 'manual',
      headers: { ...(cookie !== '' && { cookie }), 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    keepCookies(jar, answer.headers.getSetCookie());
    return answer;
  };
  const signIn = async (): Promise<string> => {
    let url = service.url + BEGIN;
    for (let step = 0; step < 12; step += 1) {
      const answer = await request(url);
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
      url = new URL(location, url).href;
      steps.push(url);
      if (url.startsWith(`${service.url}/dashboard/`) && !url.includes('/api/'))
        return url.slice(service.url.length);
    }
    throw new Error('Too many redirects');
  };
  const api = async (path: string, method = 'GET', body?: unknown) => {
    const answer = await request(`${service.url}/dashboard/api/v1${path}`, method, body, {
      origin: service.url,
    });
    return {
      status: answer.status,
      json: (await answer.json()) as Record<string, never> & { user: unknown },
    };
  };
  return { signIn, api, request, steps };
}
