import { type HookFormatCode, isJson, part, REFUSED, textIn, visitor } from './hook-format.ts';
import { BEARER } from './prove-sender.ts';

/** FusionAuth 1.30 and newer: the transactional events `user.create` and `user.email.update`. */
export const FUSIONAUTH: HookFormatCode = {
  proof: BEARER,
  read: (body) => {
    const event = part(body, 'event');
    if (!isJson(event.user)) return { missing: 'event.user' };
    const email = textIn(event.user, 'email');
    if (email === undefined) {
      const known = textIn(event.user, 'username') ?? textIn(event.user, 'phoneNumber');
      return known === undefined ? { missing: 'event.user.email' } : 'no-address';
    }
    const info = part(event, 'info');
    return {
      ask: {
        email,
        ...visitor(textIn(info, 'ipAddress'), textIn(info, 'userAgent')),
        ...(event.type === 'user.email.update' && { event: 'email_change' }),
      },
      verdict: part(event.user, 'data').postern,
    };
  },
  write: ({ recommendation, message }) =>
    recommendation === 'block'
      ? { status: 403, body: { error: message ?? REFUSED } }
      : { status: 200, body: {} },
  sample: (email) => ({ event: { type: 'user.create', info: {}, user: { email } } }),
  instructions: (url, secret) => `In FusionAuth, open Settings > Webhooks > Add. URL:

  ${url}

Under Headers add Authorization with:

  Bearer ${secret}

Under Events enable user.create. Then, in Tenants > your tenant > Webhooks, enable user.create and set its transaction to
“All the webhooks must succeed”.`,
};
