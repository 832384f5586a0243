import { createHmac, randomUUID } from 'node:crypto';
import type { HookFormat } from '@postern/contract';
import type { NewHookView } from '@postern/contract/dashboard';
import { hookOperations } from '../../dist/operations/hooks.js';
import { operationsOf } from '../../dist/operations/run-operation.js';
import type { Answer } from './http-client.ts';
import type { TestService } from './service.ts';

/** What a stand-in of a sign-in server sends for a person who signs up. */
interface SignUp {
  readonly email?: unknown;
  readonly ip?: string;
  readonly userAgent?: string;
  readonly verdict?: string;
  /** Other fields of the body. */
  readonly more?: object;
}

interface Sent {
  readonly body: string;
  readonly headers: Record<string, string>;
}

type Send = (signUp: SignUp, secret: string, at: number) => Sent;

const hex = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');

function standard(body: string, secret: string, at: number, joinedBy: string): Sent {
  const id = randomUUID();
  const time = String(Math.floor(at / 1_000));
  const key = Buffer.from(secret.replace(/^(v1,)?whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  // A server that rotates its own secret signs with each.
  const signatures = ['v1,bm90IHRoaXMgb25l', `v1,${signature}`].join(joinedBy);
  return {
    body,
    headers: { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures },
  };
}

/** Each sends what the server’s own source or documentation shows, with its own headers. */
const SEND: Readonly<Record<HookFormat, Send>> = {
  supabase: ({ email, ip, verdict, more }, secret, at) =>
    standard(
      JSON.stringify({
        metadata: {
          uuid: randomUUID(),
          time: new Date(at).toISOString(),
          name: 'before-user-created',
          ...(ip !== undefined && { ip_address: ip }),
        },
        user: {
          id: randomUUID(),
          aud: 'authenticated',
          role: '',
          email,
          phone: '',
          app_metadata: { provider: 'email', providers: ['email'] },
          user_metadata: verdict === undefined ? {} : { postern: verdict },
          identities: [],
          created_at: '0001-01-01T00:00:00Z',
          updated_at: '0001-01-01T00:00:00Z',
          is_anonymous: false,
          ...more,
        },
      }),
      secret,
      at,
      ', ',
    ),
  kratos: ({ email, ip = '', userAgent = '', verdict = '', more }, secret) => ({
    body: JSON.stringify({ email, ip, userAgent, verdict, ...more }),
    headers: { authorization: `Bearer ${secret}`, 'user-agent': 'Go-http-client/1.1' },
  }),
  workos: ({ email, ip, userAgent, more }, secret, at) => {
    const body = JSON.stringify({
      id: randomUUID(),
      user_data: { object: 'user_data', email, first_name: 'Jane', last_name: 'Doe' },
      ip_address: ip ?? null,
      user_agent: userAgent ?? null,
      object: 'user_registration_action_context',
      ...more,
    });
    return { body, headers: { 'workos-signature': `t=${at}, v1=${hex(secret, `${at}.${body}`)}` } };
  },
  okta: ({ email, ip, more }, secret) => ({
    body: JSON.stringify({
      eventId: randomUUID(),
      eventType: 'com.okta.user.pre-registration',
      cloudEventVersion: '0.1',
      eventTypeVersion: '1.0',
      contentType: 'application/json',
      data: {
        context: {
          request: { method: 'POST', ipAddress: ip, url: { value: '/idp/idx/enroll/new' } },
        },
        userProfile: { firstName: 'Jane', lastName: 'Doe', login: email, email },
        action: 'ALLOW',
        ...more,
      },
      requestType: 'self.service.registration',
      source: 'https://example.okta.com/',
    }),
    headers: { authorization: `Bearer ${secret}`, 'user-agent': 'Okta-Integrations' },
  }),
  zitadel: ({ email, verdict, more }, secret, at) => {
    const metadata =
      verdict === undefined ? [] : [{ key: 'postern', value: Buffer.from(verdict).toString('base64') }];
    const body = JSON.stringify({
      fullMethod: '/zitadel.user.v2.UserService/AddHumanUser',
      instanceID: '262851882718855632',
      orgID: '262851882718921168',
      userID: '262851882718986704',
      request: { profile: { given_name: 'Jane', family_name: 'Doe' }, email: { email }, metadata, ...more },
      headers: { 'User-Agent': ['grpc-node-js/1.9'] },
    });
    const time = Math.floor(at / 1_000);
    return { body, headers: { 'zitadel-signature': `t=${time},v1=${hex(secret, `${time}.${body}`)}` } };
  },
  fusionauth: ({ email, ip, userAgent, verdict, more }, secret, at) => ({
    body: JSON.stringify({
      event: {
        id: randomUUID(),
        type: 'user.create',
        createInstant: at,
        info: { ipAddress: ip, userAgent },
        tenantId: randomUUID(),
        user: { id: randomUUID(), active: true, email, data: { postern: verdict }, ...more },
      },
    }),
    headers: { authorization: `Bearer ${secret}` },
  }),
  generic: ({ email, ip, userAgent, verdict, more }, secret, at) =>
    standard(JSON.stringify({ email, ip, userAgent, verdict, ...more }), secret, at, ' '),
};

export interface StandIn {
  readonly hook: NewHookView;
  readonly sent: (signUp: SignUp, at?: number, secret?: string) => Sent;
  readonly deliver: (sent: Sent) => Promise<Answer>;
  readonly signUp: (signUp: SignUp) => Promise<Answer>;
}

/** Without a base, the `url` is the path. */
export function createHook(service: TestService, id: string, format: HookFormat): Promise<NewHookView> {
  return service.admin((admin) =>
    operationsOf(hookOperations, admin)('POST /projects/:id/hooks', { id }, { format }),
  );
}

export function rotateHook(
  service: TestService,
  { projectId: id, id: hookId }: NewHookView,
  secret?: string,
): Promise<NewHookView> {
  return service.admin((admin) =>
    operationsOf(hookOperations, admin)(
      'POST /projects/:id/hooks/:hookId/rotate',
      { id, hookId },
      { secret },
    ),
  );
}

/** A stand-in of a sign-in server with a hook of the project. */
export async function standIn(service: TestService, projectId: string, format: HookFormat): Promise<StandIn> {
  const hook = await createHook(service, projectId, format);
  const sent = (signUp: SignUp, at = Date.now(), secret = hook.secret) => SEND[format](signUp, secret, at);
  const deliver = ({ body, headers }: Sent) =>
    service.ask({
      method: 'POST',
      path: hook.url,
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  return { hook, sent, deliver, signUp: (signUp) => deliver(sent(signUp)) };
}

/** Whether the sign-in server lets the person in, and the sentence that it shows them, read as its source reads it. */
export function readAs(
  format: HookFormat,
  { status, json, headers }: Answer,
): { allowed: boolean; text?: string } | 'broken' {
  if (!headers['content-type']?.startsWith('application/json')) return 'broken';
  switch (format) {
    case 'supabase':
      if (status !== 200) return 'broken';
      return json.error ? { allowed: false, text: json.error.message } : { allowed: true };
    case 'kratos':
      if (status === 200) return { allowed: true };
      return json.messages?.length > 0
        ? { allowed: false, text: json.messages[0].messages[0].text }
        : 'broken';
    case 'workos': {
      if (status !== 200 || json.object !== 'user_registration_action_response') return 'broken';
      const { verdict, error_message: text } = json.payload;
      return verdict === 'Allow' ? { allowed: true } : { allowed: false, text };
    }
    case 'okta': {
      if (status !== 200) return 'broken';
      const denied = json.commands?.some(
        (command: { type: string; value: { registration: string } }) =>
          command.type === 'com.okta.action.update' && command.value.registration === 'DENY',
      );
      return denied ? { allowed: false, text: json.error.errorCauses[0].errorSummary } : { allowed: true };
    }
    case 'zitadel':
      if (status !== 200) return 'broken';
      return json.forwardedStatusCode === 403
        ? { allowed: false, text: json.forwardedErrorMessage }
        : { allowed: true };
    case 'fusionauth':
      return status === 200 ? { allowed: true } : { allowed: false, text: json.error };
    case 'generic':
      if (status !== 200) return 'broken';
      return json.recommendation === 'block' ? { allowed: false, text: json.message } : { allowed: true };
  }
}
