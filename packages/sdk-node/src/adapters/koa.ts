import type { RequestLike } from '../caller.ts';
import { checkGuardOptions, type GuardOptions } from '../evaluate-options.ts';
import { evaluateBody } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';
import { refusalAnswer } from '../refusal-answer.ts';
import { headerOf } from './header-of.ts';

interface KoaContextLike {
  readonly req: RequestLike;
  readonly request: object;
  /** Set by Koa, according to its `proxy` setting. */
  readonly ip?: string;
  status: number;
  type: string;
  body: unknown;
}

/** Koa middleware; put a body parser such as `@koa/bodyparser` before it. */
export function koaGuard(postern: PosternServerClient, options: GuardOptions = {}) {
  checkGuardOptions(options);
  return async (context: KoaContextLike, next: () => Promise<unknown>): Promise<void> => {
    const { req } = context;
    const result = await evaluateBody(postern, options, {
      key: context,
      request: { headers: req.headers, socket: req.socket ?? null, ip: context.ip },
      body: (context.request as { body?: unknown }).body,
      contentType: headerOf(req, 'content-type'),
    });
    if (result.accepted) {
      await next();
      return;
    }
    const answer = refusalAnswer(result, headerOf(req, 'accept'));
    context.status = answer.status;
    context.type = answer.contentType;
    context.body = answer.body;
  };
}
