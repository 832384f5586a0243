import type { RequestLike } from '../caller.ts';
import { checkGuardOptions, type GuardOptions } from '../evaluate-options.ts';
import { evaluateBody } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';
import { refusalAnswer } from '../refusal-answer.ts';
import { headerOf } from './header-of.ts';

interface FastifyRequestLike extends RequestLike {
  body: unknown;
}
interface FastifyReplyLike {
  code(status: number): { type(contentType: string): { send(body: unknown): unknown } };
}

/** A Fastify `preHandler`. */
export function fastifyGuard(postern: PosternServerClient, options: GuardOptions = {}) {
  checkGuardOptions(options);
  return async (request: FastifyRequestLike, reply: FastifyReplyLike): Promise<unknown> => {
    const result = await evaluateBody(postern, options, {
      key: request,
      request,
      body: request.body,
      contentType: headerOf(request, 'content-type'),
    });
    if (result.accepted) return undefined;
    const { status, contentType, body } = refusalAnswer(result, headerOf(request, 'accept'));
    return reply.code(status).type(contentType).send(body);
  };
}
