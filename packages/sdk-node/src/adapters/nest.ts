import type { RequestLike } from '../caller.ts';
import { evaluateBody, type GuardOptions } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';
import { headerOf } from './header-of.ts';

interface ExecutionContextLike {
  switchToHttp(): { getRequest<T>(): T };
}

/** A NestJS guard for `@UseGuards(nestGuard(postern))`. Nest answers a refusal in its own error format. */
export function nestGuard(postern: PosternServerClient, options: GuardOptions = {}) {
  return {
    canActivate: async (context: ExecutionContextLike): Promise<boolean> => {
      const request = context.switchToHttp().getRequest<RequestLike & { body?: unknown }>();
      const result = await evaluateBody(postern, options, {
        key: request,
        request,
        body: request.body,
        contentType: headerOf(request, 'content-type'),
      });
      if (result.accepted) return true;
      // Nest’s exception filter treats any error with a `statusCode` as an HTTP error.
      throw Object.assign(new Error(result.message), { statusCode: result.status });
    },
  };
}
