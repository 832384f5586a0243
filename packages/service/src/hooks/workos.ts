import { createHmac } from 'node:crypto';
import { type HookFormatCode, isJson, REFUSED, textIn, visitor } from './hook-format.ts';
import { timedSignature } from './prove-sender.ts';

/** WorkOS AuthKit: the user registration action (workos/workos-node 8, `src/actions`). Times are in milliseconds. */
export const WORKOS: HookFormatCode = {
  proof: timedSignature('workos-signature', 1),
  read: (body) => {
    if (!isJson(body.user_data)) return { missing: 'user_data' };
    const email = textIn(body.user_data, 'email');
    if (email === undefined) return { missing: 'user_data.email' };
    return {
      ask: {
        email,
        ...visitor(textIn(body, 'ip_address'), textIn(body, 'user_agent')),
        ...(isJson(body.invitation) && { event: 'invitation' }),
      },
    };
  },
  write: ({ recommendation, message }, { secret, now }) => {
    const denied = recommendation === 'block';
    const payload = {
      timestamp: now,
      verdict: denied ? 'Deny' : 'Allow',
      ...(denied && { error_message: message ?? REFUSED }),
    };
    const signature = createHmac('sha256', secret ?? '')
      .update(`${now}.${JSON.stringify(payload)}`)
      .digest('hex');
    return { status: 200, body: { object: 'user_registration_action_response', payload, signature } };
  },
  sample: (email) => ({
    id: 'action_test',
    object: 'user_registration_action_context',
    user_data: { object: 'user_data', email, first_name: 'Jane', last_name: 'Doe' },
  }),
  instructions: (
    url,
  ) => `In the WorkOS dashboard, open Authentication > Actions > User registration. Endpoint URL:

  ${url}

Save, then give Postern the secret that WorkOS shows:

  postern hook rotate ID --secret SECRET

Choose “Allow registration” as the error handling.`,
};
