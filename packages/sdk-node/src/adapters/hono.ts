import type { ContextLike } from '../caller.ts';
import { checkGuardOptions, type GuardOptions } from '../evaluate-options.ts';
import { evaluateBody } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';
import { refusalAnswer } from '../refusal-answer.ts';

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
    const result = await evaluateBody(postern, options, {
      key: context,
      request: context,
      body: await parsed.catch(() => ({})),
      contentType: sent,
    });
    if (result.accepted) {
      await next();
      return undefined;
    }
    const answer = refusalAnswer(result, context.req.header('accept') ?? null);
    const headers = { 'Content-Type': answer.contentType };
    return new Response(answer.body, { status: answer.status, headers });
  };
}
