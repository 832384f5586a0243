import { type HookFormatCode, isJson, part, REFUSED, textIn, visitor } from './hook-format.ts';
import { BEARER } from './prove-sender.ts';

/** Okta: the registration inline hook `com.okta.user.pre-registration`, version 1.0.3 (Identity Engine). */
export const OKTA: HookFormatCode = {
  proof: BEARER,
  read: (body) => {
    if (!isJson(body.data)) return { missing: 'data' };
    const changed = isJson(body.data.userProfileUpdate) ? body.data.userProfileUpdate : undefined;
    const email = textIn(changed ?? part(body.data, 'userProfile'), 'email');
    // Progressive enrolment may ask for other things than an address.
    if (email === undefined)
      return changed === undefined ? { missing: 'data.userProfile.email' } : 'no-address';
    const request = part(body.data, 'context', 'request');
    return {
      ask: {
        email,
        ...visitor(textIn(request, 'ipAddress'), undefined),
        ...(changed !== undefined && { event: 'email_change' }),
      },
    };
  },
  // People see the cause’s text, not the summary.
  write: ({ recommendation, message }) => {
    if (recommendation !== 'block') return { status: 200, body: {} };
    const errorSummary = message ?? REFUSED;
    const cause = {
      errorSummary,
      reason: 'POSTERN',
      locationType: 'body',
      location: 'data.userProfile.email',
      domain: 'end-user',
    };
    return {
      status: 200,
      body: {
        commands: [{ type: 'com.okta.action.update', value: { registration: 'DENY' } }],
        error: { errorSummary, errorCauses: [cause] },
      },
    };
  },
  sample: (email) => ({
    eventType: 'com.okta.user.pre-registration',
    requestType: 'self.service.registration',
    data: { userProfile: { email, login: email, firstName: 'Jane', lastName: 'Doe' }, action: 'ALLOW' },
  }),
  instructions: (
    url,
    secret,
  ) => `In the Okta Admin Console, open Workflow > Inline Hooks > Add Inline Hook > Registration. URL:

  ${url}

Authentication field: Authorization. Authentication secret:

  Bearer ${secret}

Then choose the hook in Security > User profile policies > your app > Inline hook.`,
};
