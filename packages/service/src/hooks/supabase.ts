import { type HookFormatCode, isJson, part, REFUSED, textIn, visitor } from './hook-format.ts';
import { standardWebhooks } from './prove-sender.ts';

/** Supabase Auth 2.177 and newer: the before-user-created hook (supabase/auth, `internal/hooks/v0hooks`). */
export const SUPABASE: HookFormatCode = {
  proof: standardWebhooks('v1,whsec_'),
  read: (body) => {
    if (!isJson(body.user)) return { missing: 'user' };
    const email = textIn(body.user, 'email');
    // A phone number or nothing: Supabase sends an empty address.
    if (email === undefined) return body.user.email === '' ? 'no-address' : { missing: 'user.email' };
    const provider = textIn(part(body.user, 'app_metadata'), 'provider');
    return {
      ask: {
        email,
        ...visitor(textIn(part(body, 'metadata'), 'ip_address'), undefined),
        ...(provider !== undefined && provider !== 'email' && { event: 'oauth' }),
      },
      verdict: part(body.user, 'user_metadata').postern,
    };
  },
  // A 400 would become another error, without the text.
  write: ({ recommendation, message }) => ({
    status: 200,
    body: recommendation === 'block' ? { error: { http_code: 403, message: message ?? REFUSED } } : {},
  }),
  sample: (email) => ({
    metadata: { uuid: '8b34dcdd-9df1-4c10-850a-b3277c653040', name: 'before-user-created' },
    user: { email, app_metadata: { provider: 'email', providers: ['email'] }, user_metadata: {} },
  }),
  instructions: (url, secret) => `In Supabase, open Authentication > Hooks > Add hook > Before User Created.
Type: HTTPS. URL:

  ${url}

Secret:

  ${secret}`,
};
