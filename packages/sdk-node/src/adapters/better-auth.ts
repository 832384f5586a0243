import type { RequestEvent } from '@postern/contract';
import { checkAdapterOptions, type EvaluateOptions, type RefusalOptions } from '../evaluate-options.ts';
import { evaluateBody, getSignUp } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';
import type { AcceptedSignUp, RefusedSignUp } from '../sign-up-result.ts';

export interface BetterAuthOptions extends EvaluateOptions, RefusalOptions {
  verdictField?: string | undefined;
  /** Called with the result of each sign-up that passes, for example to store `requestId` with the person. */
  onAccepted?: ((signUp: AcceptedSignUp) => void | Promise<void>) | undefined;
}

interface HookContext {
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
}

/** What better-auth gets. Its own type would make it a dependency. */
interface BetterAuthPlugin {
  id: 'postern';
  hooks: {
    before: {
      matcher: (context: HookContext) => boolean;
      handler: (context: HookContext) => Promise<undefined>;
    }[];
  };
  init: () => {
    options: {
      databaseHooks: {
        user: {
          create: {
            before: (user: { email?: string }, context: HookContext | null) => Promise<undefined>;
          };
        };
      };
    };
  };
}

/**
 * Other ways in which better-auth creates an account with an address that a person typed or a provider gave. Ways that
 * make up an address, such as anonymous accounts, and accounts that an admin creates are not among them.
 */
const OTHER_WAYS: readonly (readonly [path: string, event: RequestEvent])[] = [
  ['/magic-link/verify', 'magic_link'],
  ['/sign-in/email-otp', 'magic_link'],
  ['/sign-in/social', 'oauth'],
  ['/callback/', 'oauth'],
  ['/oauth2/callback/', 'oauth'],
  ['/one-tap/callback', 'oauth'],
  ['/sso/callback/', 'oauth'],
  ['/sso/saml2/', 'oauth'],
];

/** Requests that name an address, where they have it, and what they are for. An anonymous account becomes a real one by these. */
const ASKING: Readonly<Record<string, readonly [field: string, event: RequestEvent]>> = {
  '/sign-up/email': ['email', 'sign_up'],
  '/change-email': ['newEmail', 'email_change'],
  '/email-otp/request-email-change': ['newEmail', 'email_change'],
  '/organization/invite-member': ['email', 'invitation'],
};

/**
 * A better-auth plugin that refuses blocked sign-ups. Send the form’s verdict to `/sign-up/email` as the header
 * `postern-verdict`, or as a field of that name beside `email` and `password`. New people who come by a magic link, a one-time code or another account are checked
 * when their account is created, those who change their address or are invited when that is asked for.
 */
export function betterAuthPlugin(
  postern: PosternServerClient,
  options: BetterAuthOptions = {},
): BetterAuthPlugin {
  checkAdapterOptions(options, { onAccepted: true });
  const { onAccepted: _, ...guardOptions } = options;
  const refuseBlocked = async (
    context: HookContext,
    body: unknown,
    [emailField, event]: readonly [string, RequestEvent],
  ): Promise<undefined> => {
    const request = { headers: new Headers(context.headers) };
    const result = await evaluateBody(
      postern,
      { event, ...guardOptions, emailField },
      {
        key: context,
        request,
        body,
      },
    );
    if (!result.accepted) throw apiError(result);
    await options.onAccepted?.(getSignUp(context));
    return undefined;
  };
  return {
    id: 'postern',
    hooks: {
      before: [
        {
          matcher: ({ path = '' }) => Object.hasOwn(ASKING, path),
          handler: (context) =>
            refuseBlocked(context, context.body, ASKING[context.path ?? ''] ?? ['email', 'sign_up']),
        },
      ],
    },
    init: () => ({
      options: {
        databaseHooks: {
          user: {
            create: {
              before: async ({ email }, context) => {
                const way = OTHER_WAYS.find(([path]) => context?.path?.startsWith(path));
                return context === null || way === undefined
                  ? undefined
                  : refuseBlocked(context, { email }, ['email', way[1]]);
              },
            },
          },
        },
      },
    }),
  };
}

/** better-auth recognises its errors by their name, so it does not have to be imported here. */
function apiError({ message, status }: RefusedSignUp): Error {
  const body = { message, code: 'SIGN_UP_REFUSED' };
  const name = status === 503 ? 'SERVICE_UNAVAILABLE' : 'UNPROCESSABLE_ENTITY';
  return Object.assign(new Error(message), {
    name: 'APIError',
    status: name,
    statusCode: status,
    body,
    headers: {},
  });
}
