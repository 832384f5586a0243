import type { RequestLike } from '../caller.ts';
import { checkGuardOptions, type GuardOptions } from '../evaluate-options.ts';
import { answerRefused } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';

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
    const refused = await answerRefused(postern, options, {
      key: request,
      request,
      body: request.body,
    });
    if (refused === null) return undefined;
    const { status, contentType, body } = refused;
    return reply.code(status).type(contentType).send(body);
  };
}
