import type { RequestLike } from '../caller.ts';
import { checkGuardOptions, type GuardOptions } from '../evaluate-options.ts';
import { evaluateBody } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';
import { refusalAnswer } from '../refusal-answer.ts';
import { headerOf } from './header-of.ts';

interface ExecutionContextLike {
  switchToHttp(): { getRequest<T>(): T; getResponse<T>(): T };
}

/** The response of Express or Fastify. */
interface ResponseLike {
  status(status: number): { type(contentType: string): { send(body: string): unknown } };
}

/**
 * A NestJS guard for `@UseGuards(nestGuard(postern))`. Nest answers a refusal in its own error format; a form that the
 * browser itself posted is answered with a page.
 */
export function nestGuard(postern: PosternServerClient, options: GuardOptions = {}) {
  checkGuardOptions(options);
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
      const { isPage, status, contentType, body } = refusalAnswer(result, headerOf(request, 'accept'));
      if (isPage) {
        context.switchToHttp().getResponse<ResponseLike>().status(status).type(contentType).send(body);
        // Everything that a guard can return makes Nest send an answer of its own, and there is one already.
        return new Promise<never>(() => {});
      }
      // Nest’s exception filter treats it as an HTTP error: Nest 11 by `statusCode`, Nest 12 by all three.
      throw Object.assign(new Error(result.message), { statusCode: status, status, expose: true });
    },
  };
}
