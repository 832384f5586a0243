import type { RequestLike } from '../caller.ts';
import { checkGuardOptions, type GuardOptions } from '../evaluate-options.ts';
import { answerRefused } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';

interface ExpressRequest extends RequestLike {
  body?: unknown;
}
interface ExpressResponse {
  status(code: number): { set(name: string, value: string): { send(body: unknown): unknown } };
}

/** Express middleware; put a body parser before it. */
export function expressGuard(
  postern: PosternServerClient,
  options: GuardOptions = {},
): (request: ExpressRequest, response: ExpressResponse, next: (error?: unknown) => void) => Promise<void> {
  checkGuardOptions(options);
  return async (request, response, next) => {
    try {
      const refused = await answerRefused(postern, options, {
        key: request,
        request,
        body: request.body,
      });
      if (refused === null) return next();
      const { status, contentType, body } = refused;
      response.status(status).set('Content-Type', contentType).send(body);
    } catch (error) {
      next(error);
    }
  };
}
