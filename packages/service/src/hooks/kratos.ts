import { type HookFormatCode, REFUSED, textIn, visitor } from './hook-format.ts';
import { BEARER } from './prove-sender.ts';

/** A number of our own, as Kratos wants one for each text (1 to 7 million are its own). */
const MESSAGE_ID = 9_000_001;

/** Ory Kratos 1.0 and newer: a `web_hook` with `can_interrupt` (ory/kratos, `selfservice/hook/web_hook.go`). */
export const KRATOS: HookFormatCode = {
  proof: BEARER,
  read: (body) => {
    const email = textIn(body, 'email');
    if (email === undefined) return { missing: 'email' };
    const event = textIn(body, 'event');
    const locale = textIn(body, 'locale');
    return {
      ask: {
        email,
        ...visitor(textIn(body, 'ip'), textIn(body, 'userAgent')),
        ...(event !== undefined && { event }),
        ...(locale !== undefined && { locale }),
      },
      verdict: body.verdict,
    };
  },
  // Without `messages`, Kratos would answer 502.
  write: ({ recommendation, message }) =>
    recommendation === 'block'
      ? {
          status: 403,
          body: {
            messages: [
              {
                instance_ptr: '#/traits/email',
                messages: [{ id: MESSAGE_ID, text: message ?? REFUSED, type: 'error' }],
              },
            ],
          },
        }
      : { status: 200, body: {} },
  sample: (email) => ({ email }),
  instructions: (
    url,
    secret,
  ) => `In kratos.yml, under selfservice.flows.registration.after.password.hooks (and oidc, code …):

  - hook: web_hook
    config:
      url: ${url}
      method: POST
      body: file:///etc/config/kratos/postern.jsonnet
      can_interrupt: true
      auth:
        type: api_key
        config:
          name: Authorization
          value: Bearer ${secret}
          in: header

postern.jsonnet:

  function(ctx) {
    email: ctx.identity.traits.email,
    userAgent: std.get(ctx.request_headers, 'User-Agent', [''])[0],
    ip: std.get(ctx.request_headers, 'True-Client-Ip', [''])[0],
    verdict: std.get(std.get(ctx.flow, 'transient_payload', {}), 'postern', ''),
  }`,
};
