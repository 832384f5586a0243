import type { EvaluateOptions, RefusedSignUp } from '../evaluate-sign-up.ts';
import { evaluateBody } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';

export interface BetterAuthOptions extends EvaluateOptions {
  verdictField?: string;
  onRefused?: (refusal: RefusedSignUp) => void;
}

interface HookContext {
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Headers | undefined;
}

/**
 * A better-auth plugin that refuses blocked sign-ups at `/sign-up/email`. Send the form’s verdict in the body as
 * `postern-verdict`, beside `email` and `password`.
 */
export function betterAuthPlugin(postern: PosternServerClient, options: BetterAuthOptions = {}) {
  return {
    id: 'postern' as const,
    hooks: {
      before: [
        {
          matcher: ({ path }: HookContext) => path === '/sign-up/email',
          handler: async (context: HookContext): Promise<undefined> => {
            const headers = context.headers ?? new Headers();
            const result = await evaluateBody(postern, options, {
              key: context,
              request: { headers },
              body: context.body,
              contentType: null,
            });
            if (result.accepted) return undefined;
            throw apiError(result);
          },
        },
      ],
    },
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
