import type { RequestLike } from '../caller.ts';
import { checkGuardOptions, type GuardOptions } from '../evaluate-options.ts';
import { answerRefused } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';

interface ExecutionContextLike {
  switchToHttp(): { getRequest<T>(): T; getResponse<T>(): T };
}

/** The response of Express or Fastify. */
interface ResponseLike {
  status(status: number): { type(contentType: string): { send(body: string): unknown } };
}

/**
 * A NestJS guard for `@UseGuards(nestGuard(postern))`. It answers a refusal itself: a refused sign-up is no error of the
 * app, and Nest would log it as one, with its stack.
 */
export function nestGuard(postern: PosternServerClient, options: GuardOptions = {}) {
  checkGuardOptions(options);
  return {
    canActivate: async (context: ExecutionContextLike): Promise<boolean> => {
      const request = context.switchToHttp().getRequest<RequestLike & { body?: unknown }>();
      const refused = await answerRefused(postern, options, {
        key: request,
        request,
        body: request.body,
      });
      if (refused === null) return true;
      const { status, contentType, body } = refused;
      context.switchToHttp().getResponse<ResponseLike>().status(status).type(contentType).send(body);
      // Everything that a guard can return or throw makes Nest send an answer of its own, and log some as errors.
      return new Promise<never>(() => {});
    },
  };
}
