import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  allowed,
  blocked,
  type StubService,
  startStubService,
  UNKNOWN_SERVER_KEY,
} from '../../../sdk/test/support/stub-service.ts';
import { getSignUp } from '../guard.ts';
import { createPosternServerClient, type PosternServerClient } from '../postern-server-client.ts';
import { authJsSignIn } from './auth-js.ts';
import { betterAuthPlugin } from './better-auth.ts';
import { checkEvent } from './h3.ts';
import { nestGuard } from './nest.ts';
import { checkFormData, checkRequest, guardEvent, guardRequest } from './web-request.ts';

let service: StubService;
let postern: PosternServerClient;
beforeEach(async () => {
  service = await startStubService(({ body }) => (body.email.includes('mailinator') ? blocked() : allowed()));
  postern = createPosternServerClient({
    baseUrl: service.url,
    projectId: 'demo',
    apiKey: UNKNOWN_SERVER_KEY,
    maxRetries: 0,
    timeoutMs: 60_000,
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await service.close();
});

const post = (body: URLSearchParams | FormData | string, headers: Record<string, string> = {}) =>
  new Request('http://site.test/sign-up', { method: 'POST', body, headers });
const form = (email: string) => new URLSearchParams({ email });

describe('a web request', () => {
  it.each([
    ['urlencoded', () => post(form('jane@example.com'))],
    ['JSON', () => post('{"email":"jane@example.com"}', { 'Content-Type': 'application/json' })],
    [
      'multipart',
      () => {
        const data = new FormData();
        data.set('email', 'jane@example.com');
        return post(data);
      },
    ],
  ])('is read as %s, and the handler can read it again', async (_, make) => {
    const request = make();
    expect(await checkRequest(postern, request)).toMatchObject({ accepted: true });
    expect(getSignUp(request).email).toBe('jane@example.com');
    expect(await request.text()).toContain('jane');
  });

  it('is found in an event of h3 2, and the handler can ask with the event', async () => {
    const event = { req: post(form('jane@example.com')) };
    expect(await checkEvent(postern, event)).toBeNull();
    expect(getSignUp(event).email).toBe('jane@example.com');
    const refused = await checkEvent(postern, { req: post(form('x@mailinator.com')) });
    expect(refused?.status).toBe(422);
  });

  it('is answered with JSON, or with a page when the browser itself posted the form', async () => {
    const handler = vi.fn(() => new Response('welcome'));
    const guarded = guardRequest(postern, handler);
    const script = await guarded(post(form('x@mailinator.com')));
    expect([script.status, await script.json()]).toEqual([
      422,
      { error: 'Please use a permanent email address.' },
    ]);
    const page = await guarded(post(form('x@mailinator.com'), { Accept: 'text/html,*/*' }));
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain('<p>Please use a permanent email address.</p>');
    expect(handler).not.toHaveBeenCalled();
    expect(await (await guarded(post(form('jane@example.com')))).text()).toBe('welcome');
  });

  it('is inside an event in SvelteKit, React Router and Astro', async () => {
    const action = guardEvent(postern, ({ request }: { request: Request }) => getSignUp(request).email);
    expect(await action({ request: post(form('jane@example.com')) })).toBe('jane@example.com');
    const refused = await action({ request: post(form('x@mailinator.com')) });
    expect(refused).toBeInstanceOf(Response);
  });

  it('has the IP address that SvelteKit and Astro name, and not the one in a header', async () => {
    const forged = { 'x-forwarded-for': '192.0.2.66' };
    const request = () => post(form('jane@example.com'), forged);
    type Event = { request: Request; getClientAddress?: () => string; clientAddress?: string };
    const action = guardEvent(postern, (_: Event) => 'welcome');
    await action({ request: request(), getClientAddress: () => '203.0.113.1' });
    await action({ request: request(), clientAddress: '203.0.113.2' });
    await action({
      request: request(),
      getClientAddress: () => {
        throw new Error('there is no client during a build');
      },
    });
    await guardEvent(postern, (_: Event) => 'welcome', { clientIp: '203.0.113.3' })({
      request: request(),
      clientAddress: '203.0.113.2',
    });
    const seen = service.requests.map(({ body }) => body.ip);
    expect(seen).toEqual(['203.0.113.1', '203.0.113.2', undefined, '203.0.113.3']);
  });

  it('of a server action consists of form data and headers', async () => {
    const data = new FormData();
    data.set('email', 'x@mailinator.com');
    const headers = new Headers({ 'x-forwarded-for': '203.0.113.9', 'user-agent': 'Mozilla/5.0' });
    expect(await checkFormData(postern, data, headers, { trustedProxies: 1 })).toMatchObject({
      accepted: false,
      reason: 'blocked',
    });
    expect(service.requests[0]?.body).toMatchObject({ ip: '203.0.113.9', userAgent: 'Mozilla/5.0' });
  });
});

describe('a body without the email field', () => {
  async function hintFor(body: unknown, contentType: string): Promise<string> {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const sent: unknown[] = [];
    const send = { send: (text: unknown) => sent.push(text) };
    const response = { status: () => ({ set: () => send }) };
    const request = { headers: { 'content-type': contentType }, socket: null, body };
    // Each hint is logged once in the life of a process: a fresh copy of the module has logged none.
    vi.resetModules();
    const { expressGuard } = await import('./express.ts');
    await expressGuard(postern)(request, response, () => {});
    await expressGuard(postern)(request, response, () => {});
    expect(sent).toHaveLength(2);
    expect(warn).toHaveBeenCalledTimes(1);
    return String(warn.mock.calls[0]?.[0]);
  }

  it.each([
    ['a missing body parser', undefined, 'application/json', 'body parser'],
    ['a multipart form', {}, 'multipart/form-data; boundary=x', 'multipart'],
    ['a nested field', { user: { email: 'a@b.co' } }, 'application/json', "emailField: 'user.email'"],
    ['another name', { mail: 'a@b.co' }, 'application/json', 'Set emailField'],
  ])('is logged with a hint about %s', async (_, body, contentType, words) => {
    expect(await hintFor(body, contentType)).toContain(words);
  });

  it('is found by its path', async () => {
    const request = post('{"user":{"email":"jane@example.com"}}', { 'Content-Type': 'application/json' });
    const checked = await checkRequest(postern, request, { emailField: 'user.email' });
    expect(checked).toMatchObject({ accepted: true, signUp: { email: 'jane@example.com' } });
  });
});

it('a log that throws does not cause a server error', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const onRefused = () => {
    throw new Error('the log is down');
  };
  const checked = await checkRequest(postern, post(form('x@mailinator.com')), { onRefused });
  expect(checked).toMatchObject({ accepted: false, refusal: { status: 422 } });
});

it('Auth.js admits people with an account and refuses a blocked sign-up', async () => {
  const signIn = authJsSignIn(postern, { hasAccount: (email) => email.startsWith('old'), redirectTo: '/no' });
  expect(await signIn({ user: { email: 'x@mailinator.com' } })).toBe('/no');
  expect(await authJsSignIn(postern)({ user: { email: 'x@mailinator.com' } })).toBe(false);
  const withMessage = authJsSignIn(postern, { redirectTo: ({ message }) => `/no?${message}` });
  expect(await withMessage({ user: { email: 'x@mailinator.com' } })).toMatch(/^\/no\?.+/);
  expect(await signIn({ user: { email: 'old@mailinator.com' } })).toBe(true);
  expect(await signIn({ user: { email: 'jane@example.com' } })).toBe(true);
  expect(await signIn({ user: {} })).toBe(true);
});

it('Auth.js says by which door somebody came', async () => {
  for (const type of ['oauth', 'email', 'credentials'])
    await authJsSignIn(postern)({ user: { email: 'jane@example.com' }, account: { type } });
  const events = service.requests.map(({ body }) => body.event);
  expect(events).toEqual(['oauth', 'magic_link', undefined]);
});

describe('NestJS', () => {
  const contextOf = (accept: string) => {
    const sent: unknown[] = [];
    const response = {
      status: (status: number) => ({
        type: (contentType: string) => ({ send: (body: string) => sent.push(status, contentType, body) }),
      }),
    };
    const request = { headers: { accept }, body: { email: 'x@mailinator.com' } };
    const http = { getRequest: <T>() => request as T, getResponse: <T>() => response as T };
    return { sent, context: { switchToHttp: () => http } };
  };

  it('gets JSON for a script, and nothing that Nest would log', async () => {
    const { sent, context } = contextOf('application/json');
    void nestGuard(postern).canActivate(context);
    await expect
      .poll(() => sent)
      .toEqual([422, 'application/json; charset=utf-8', expect.stringContaining('permanent')]);
  });

  it('gets a page for a form that the browser itself posted', async () => {
    const { sent, context } = contextOf('text/html,*/*;q=0.8');
    void nestGuard(postern).canActivate(context);
    await expect
      .poll(() => sent)
      .toEqual([422, 'text/html; charset=utf-8', expect.stringMatching(/^<!doctype/)]);
  });
});

describe('better-auth', () => {
  it('sends the verdict as a header, because the body has fixed fields', async () => {
    const plugin = betterAuthPlugin(postern);
    const verdict = service.signVerdict({ email: 'jane@example.com' });
    await plugin.hooks.before[0]?.handler({
      body: { email: 'jane@example.com' },
      headers: { 'postern-verdict': verdict },
    });
    expect(service.requests).toEqual([]);
  });

  const createUser = (email: string, path: string) => {
    const { before } = betterAuthPlugin(postern).init().options.databaseHooks.user.create;
    return before({ email }, { path, headers: new Headers() });
  };

  it.each(['/magic-link/verify', '/sign-in/email-otp', '/callback/:id'])(
    'refuses a blocked person who comes by %s',
    async (path) => {
      const refused = { name: 'APIError', statusCode: 422, body: { code: 'SIGN_UP_REFUSED' } };
      await expect(createUser('x@mailinator.com', path)).rejects.toMatchObject(refused);
      await expect(createUser('jane@example.com', path)).resolves.toBeUndefined();
    },
  );

  const bodies = () => service.requests.map(({ body }) => body);

  it.each([
    ['/sign-up/email', 'email', 'sign_up'],
    ['/change-email', 'newEmail', 'email_change'],
    ['/organization/invite-member', 'email', 'invitation'],
  ])('asks on %s for the address in %s and says %s', async (path, field, event) => {
    const [hook] = betterAuthPlugin(postern).hooks.before;
    expect(hook?.matcher({ path })).toBe(true);
    const context = (email: string) => ({
      path,
      body: { email: 'old@example.com', [field]: email },
      headers: {},
    });
    await expect(hook?.handler(context('x@mailinator.com'))).rejects.toMatchObject({ statusCode: 422 });
    await expect(hook?.handler(context('jane@example.com'))).resolves.toBeUndefined();
    expect(bodies()).toEqual([
      expect.objectContaining({ email: 'x@mailinator.com', event }),
      expect.objectContaining({ email: 'jane@example.com', event }),
    ]);
  });

  it('says by which door a new account came', async () => {
    await createUser('jane@example.com', '/callback/:id');
    await createUser('jane@example.com', '/magic-link/verify');
    expect(bodies().map(({ event }) => event)).toEqual(['oauth', 'magic_link']);
  });

  it('does not check accounts that were checked before, that an admin creates, or without an address', async () => {
    for (const path of ['/sign-up/email', '/admin/create-user', '/sign-in/anonymous'])
      await expect(createUser('x@mailinator.com', path)).resolves.toBeUndefined();
    expect(service.requests).toEqual([]);
  });
});
