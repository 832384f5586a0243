import type { ContextLike, RequestLike } from './caller.ts';
import type { AcceptedSignUp, EvaluatedSignUp, EvaluateOptions, RefusedSignUp } from './evaluate-sign-up.ts';
import type { PosternServerClient } from './postern-server-client.ts';

export interface GuardOptions extends EvaluateOptions {
  /** The form’s field names. */
  emailField?: string;
  verdictField?: string;
  /** Told about each sign-up that was not accepted, for the log. */
  onRefused?: (refusal: RefusedSignUp) => void;
}

const accepted = new WeakMap<object, AcceptedSignUp>();

/** What a guard found out about this request (Hono: this context), for the handler behind it. */
export function getSignUp(request: object): AcceptedSignUp {
  const signUp = accepted.get(request);
  if (signUp === undefined) throw new Error('No Postern guard ran for this request');
  return signUp;
}

interface ExpressRequest extends RequestLike {
  body?: unknown;
}
interface ExpressResponse {
  status(code: number): { json(body: unknown): unknown };
}

/** Express middleware; put a body parser before it. */
export function expressGuard(postern: PosternServerClient, options: GuardOptions = {}) {
  return async (request: ExpressRequest, response: ExpressResponse, next: (error?: unknown) => void) => {
    try {
      const result = await judge(postern, options, request, request, request.body);
      if (result.accepted) next();
      else response.status(result.status).json({ error: result.message });
    } catch (error) {
      next(error);
    }
  };
}

interface FastifyRequestLike extends RequestLike {
  body: unknown;
}
interface FastifyReplyLike {
  code(status: number): { send(body: unknown): unknown };
}

/** A Fastify `preHandler`. */
export function fastifyGuard(postern: PosternServerClient, options: GuardOptions = {}) {
  return async (request: FastifyRequestLike, reply: FastifyReplyLike): Promise<unknown> => {
    const result = await judge(postern, options, request, request, request.body);
    return result.accepted ? undefined : reply.code(result.status).send({ error: result.message });
  };
}

interface HonoContextLike extends ContextLike {
  req: ContextLike['req'] & {
    header(name: string): string | undefined;
    json(): Promise<unknown>;
    parseBody(): Promise<unknown>;
  };
  json(body: { error: string }, status: 422 | 503): Response;
}

/** Hono middleware; it reads JSON and form bodies, which Hono keeps for the handler. */
export function honoGuard(postern: PosternServerClient, options: GuardOptions = {}) {
  return async (context: HonoContextLike, next: () => Promise<void>): Promise<Response | undefined> => {
    const isJson = /\bjson\b/i.test(context.req.header('content-type') ?? '');
    const body = await (isJson ? context.req.json() : context.req.parseBody()).catch(() => null);
    const result = await judge(postern, options, context, context, body);
    if (!result.accepted) return context.json({ error: result.message }, result.status);
    await next();
    return undefined;
  };
}

async function judge(
  postern: PosternServerClient,
  options: GuardOptions,
  key: object,
  request: RequestLike | ContextLike,
  body: unknown,
): Promise<EvaluatedSignUp> {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const email = fields[options.emailField ?? 'email'];
  const verdict = fields[options.verdictField ?? 'postern-verdict'];
  const result = await postern.evaluateSignUp({ email, verdict, request }, options);
  if (result.accepted) accepted.set(key, result);
  else options.onRefused?.(result);
  return result;
}
