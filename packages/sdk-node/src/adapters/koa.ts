import type { RequestLike } from '../caller.ts';
import { checkGuardOptions, type GuardOptions } from '../evaluate-options.ts';
import { answerRefused } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';

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
    const refused = await answerRefused(postern, options, {
      key: context,
      request: { headers: req.headers, socket: req.socket ?? null, ip: context.ip },
      body: (context.request as { body?: unknown }).body,
    });
    if (refused === null) {
      await next();
      return;
    }
    context.status = refused.status;
    context.type = refused.contentType;
    context.body = refused.body;
  };
}
