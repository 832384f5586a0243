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
 * Other ways in which better-auth creates an account with an address that somebody typed or a provider gave. Ways that
 * make up an address, such as anonymous accounts, and accounts that an admin creates are not among them.
 */
const OTHER_WAYS = [
  '/magic-link/verify',
  '/sign-in/email-otp',
  '/sign-in/social',
  '/callback/',
  '/oauth2/callback/',
  '/one-tap/callback',
];

/**
 * A better-auth plugin that refuses blocked sign-ups. Send the form’s verdict to `/sign-up/email` as the header
 * `postern-verdict`, or as a field of that name beside `email` and `password`. New people who come by a magic link, a one-time code or another account are checked
 * when their account is created.
 */
export function betterAuthPlugin(
  postern: PosternServerClient,
  options: BetterAuthOptions = {},
): BetterAuthPlugin {
  checkAdapterOptions(options, { onAccepted: true });
  const { onAccepted: _, ...guardOptions } = options;
  const refuseBlocked = async (context: HookContext, body: unknown): Promise<undefined> => {
    const request = { headers: new Headers(context.headers) };
    const result = await evaluateBody(postern, guardOptions, {
      key: context,
      request,
      body,
      contentType: null,
    });
    if (!result.accepted) throw apiError(result);
    await options.onAccepted?.(getSignUp(context));
    return undefined;
  };
  return {
    id: 'postern',
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === '/sign-up/email',
          handler: (context) => refuseBlocked(context, context.body),
        },
      ],
    },
    init: () => ({
      options: {
        databaseHooks: {
          user: {
            create: {
              before: async ({ email }, context) => {
                const isOtherWay = OTHER_WAYS.some((way) => context?.path?.startsWith(way));
                return context !== null && isOtherWay ? refuseBlocked(context, { email }) : undefined;
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
