import type { ContextLike } from '../caller.ts';
import { checkGuardOptions, type GuardOptions } from '../evaluate-options.ts';
import { answerRefused } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';
import { asResponse } from '../refusal-answer.ts';

interface HonoContextLike extends ContextLike {
  req: ContextLike['req'] & {
    header(name: string): string | undefined;
    json(): Promise<unknown>;
    parseBody(): Promise<unknown>;
  };
}

/** Hono middleware; it reads JSON and form bodies, which Hono keeps for the handler. */
export function honoGuard(postern: PosternServerClient, options: GuardOptions = {}) {
  checkGuardOptions(options);
  return async (context: HonoContextLike, next: () => Promise<void>): Promise<Response | undefined> => {
    const sent = context.req.header('content-type') ?? null;
    const parsed = /\bjson\b/i.test(sent ?? '') ? context.req.json() : context.req.parseBody();
    const refused = await answerRefused(postern, options, {
      key: context,
      request: context,
      body: await parsed.catch(() => ({})),
    });
    if (refused !== null) return asResponse(refused);
    await next();
    return undefined;
  };
}
