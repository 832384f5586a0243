import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type TestProject, type TestService } from './support/service.ts';

let service: TestService;
let project: TestProject;
let environment: Record<string, string>;
beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
  environment = {
    POSTERN_URL: service.url,
    POSTERN_PROJECT: project.id,
    POSTERN_KEY: project.serverKey,
  };
});
afterAll(() => service?.close());

const GOOD = 'jane.doe@gmail.com';
const BAD = 'jane@mailinator.com';
const SENTENCE = 'Please use a permanent email address.';
const AWAY = { POSTERN_URL: 'http://127.0.0.1:9' };

type Code = (...values: readonly unknown[]) => Promise<unknown>;

/** The guide’s code, with stand-ins for what its platform provides. */
function codeOf(guide: string, name: string, env: object, modules: Record<string, object> = {}): Code {
  const text = readFileSync(new URL(`../../../docs/guides/${guide}.md`, import.meta.url), 'utf8');
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
  const exported: Record<string, Code> = {};
  const run = new Function('exports', 'require', 'process', code);
  run(exported, (module: string) => modules[module], { env: { ...environment, ...env } });
  return exported[name] ?? expect.fail(`${guide} exports no ${name}`);
}

const lastLogged = () =>
  service.admin(({ store }) => store.log.page(project.id, {}, 1, null)).then(({ rows }) => rows[0]);

it('Auth0 refuses with the sentence, and lets in when Postern is away', async () => {
  const asked = async (email: string, env: object = {}) => {
    const denied: unknown[] = [];
    const request = { ip: '203.0.113.9', user_agent: 'Mozilla/5.0', language: 'en' };
    await codeOf(
      'auth0',
      'onExecutePreUserRegistration',
      {},
    )(
      { user: { email }, request, secrets: { ...environment, ...env } },
      { access: { deny: (...why: unknown[]) => denied.push(why) } },
    );
    return denied;
  };
  expect(await asked(GOOD)).toEqual([]);
  expect(await asked(BAD)).toEqual([['postern', SENTENCE]]);
  expect(await lastLogged()).toMatchObject({ maskedIp: '203.0.113.0/24', recommendation: 'block' });
  expect(await asked(BAD, AWAY)).toEqual([]);
});

it('Clerk’s new users are banned, and its webhook comes again when Postern is away', async () => {
  const banned: unknown[] = [];
  const asked = async (email: string, env: object = {}) => {
    const POST = codeOf('clerk', 'POST', env, {
      '@clerk/backend/webhooks': { verifyWebhook: async (event: unknown) => event },
      '@clerk/backend': {
        createClerkClient: () => ({ users: { banUser: async (id: string) => banned.push(id) } }),
      },
    });
    const data = {
      id: `user of ${email}`.replace(/\W/g, '_'),
      primary_email_address_id: 'two',
      email_addresses: [
        { id: 'one', email_address: 'other@gmail.com' },
        { id: 'two', email_address: email },
      ],
    };
    const event_attributes = { http_request: { client_ip: '203.0.113.9', user_agent: 'Mozilla/5.0' } };
    return ((await POST({ type: 'user.created', data, event_attributes })) as Response).status;
  };
  expect([await asked(GOOD), await asked(BAD), banned]).toEqual([204, 204, ['user_of_jane_mailinator_com']]);
  await expect(asked(BAD, AWAY)).rejects.toThrow();
});

it('Firebase refuses with the sentence, and names the door', async () => {
  class HttpsError extends Error {
    constructor(code: string, message: string) {
      super(`${code}: ${message}`);
    }
  }
  const beforeUserCreated = (_options: object, code: Code) => code;
  const asked = (email: string | undefined, providerId: string, env: object = {}) =>
    codeOf('firebase', 'askPostern', env, {
      'firebase-functions/v2/identity': { beforeUserCreated, HttpsError },
    })({
      data: { email, providerData: [{ providerId }] },
      ipAddress: '203.0.113.9',
      userAgent: 'Mozilla/5.0',
      locale: 'en',
    });
  await asked(GOOD, 'google.com');
  expect((await lastLogged())?.facts.event).toBe('oauth');
  await asked(undefined, 'phone');
  await expect(asked(BAD, 'password')).rejects.toThrow(`permission-denied: ${SENTENCE}`);
  await asked(BAD, 'password', AWAY);
});

it('Cognito refuses with the sentence, and does not ask about users that an admin creates', async () => {
  const asked = (email: string, triggerSource: string, env: object = {}) =>
    codeOf('cognito', 'handler', env)({ triggerSource, request: { userAttributes: { email } } });
  expect(await asked(GOOD, 'PreSignUp_ExternalProvider')).toMatchObject({ request: {} });
  expect((await lastLogged())?.facts.event).toBe('oauth');
  await expect(asked(BAD, 'PreSignUp_SignUp')).rejects.toThrow(SENTENCE);
  await asked(BAD, 'PreSignUp_AdminCreateUser');
  await asked(BAD, 'PreSignUp_SignUp', AWAY);
});
