import { type HookFormatCode, isJson, type Json, part, REFUSED, textIn } from './hook-format.ts';
import { timedSignature } from './prove-sender.ts';

/**
 * ZITADEL 2.66 and newer: Actions v2 on the request of `AddHumanUser` or `CreateUser` (zitadel/zitadel, `pkg/actions` and
 * `internal/execution`).
 */
export const ZITADEL: HookFormatCode = {
  proof: timedSignature('zitadel-signature', 1_000),
  read: (body) => {
    if (!isJson(body.request)) return { missing: 'request' };
    const address = isJson(body.request.human)
      ? part(body.request, 'human', 'email')
      : part(body.request, 'email');
    const email = textIn(address, 'email');
    if (email === undefined) {
      const withoutPerson = isJson(body.request.machine) || isJson(body.request.human);
      return withoutPerson ? 'no-address' : { missing: 'request.email.email' };
    }
    const changes = textIn(body, 'fullMethod')?.endsWith('/SetEmail') === true;
    const human = isJson(body.request.human) ? body.request.human : body.request;
    return {
      // The call’s headers are those of ZITADEL’s own sign-in pages, so they say nothing about the person.
      ask: { email, ...(changes && { event: 'email_change' }) },
      verdict: metadataOf(human),
    };
  },
  // ZITADEL passes a text on only in a 200; of another status it says that the execution failed.
  write: ({ recommendation, message }) => ({
    status: 200,
    body:
      recommendation === 'block'
        ? { forwardedStatusCode: 403, forwardedErrorMessage: message ?? REFUSED }
        : {},
  }),
  sample: (email) => ({
    fullMethod: '/zitadel.user.v2.UserService/AddHumanUser',
    request: { profile: { given_name: 'Jane', family_name: 'Doe' }, email: { email } },
  }),
  instructions: (url) => `Create a target of type restWebhook with interruptOnError, and an execution for it:

  POST /v2/actions/targets
  {"name": "postern", "restWebhook": {"interruptOnError": true}, "endpoint": "${url}", "timeout": "3s"}

  PUT /v2/actions/executions
  {"condition": {"request": {"method": "/zitadel.user.v2.UserService/AddHumanUser"}}, "targets": ["TARGET-ID"]}

Then give Postern the signingKey that ZITADEL answered:

  postern hook rotate ID --secret SIGNING-KEY`,
};

/** Metadata values are bytes, which ZITADEL writes as base64. */
function metadataOf({ metadata }: Json): string | undefined {
  if (!Array.isArray(metadata)) return undefined;
  const entry = metadata.filter(isJson).find(({ key }) => key === 'postern');
  return typeof entry?.value === 'string' ? Buffer.from(entry.value, 'base64').toString() : undefined;
}
