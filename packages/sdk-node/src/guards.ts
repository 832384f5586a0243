import type { ContextLike, RequestLike } from './caller.ts';
import type { AcceptedSignUp, EvaluatedSignUp, EvaluateOptions, RefusedSignUp } from './evaluate-sign-up.ts';
import type { Postern } from './postern.ts';

export interface GuardOptions extends EvaluateOptions {
  /** The form’s field names. */
  emailField?: string;
  verdictField?: string;
  /** Told about each sign-up that was not accepted, for the log. */
  onRefused?: (refusal: RefusedSignUp) => void;
}

const accepted = new WeakMap<object, AcceptedSignUp>();

/** What a guard found out about this request (Hono: this context), for the handler behind it. */
export function signUpOf(request: object): AcceptedSignUp {
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
export function expressGuard(postern: Postern, options: GuardOptions = {}) {
  return async (request: ExpressRequest, response: ExpressResponse, next: (error?: unknown) => void) => {
    try {
      const judged = await judge(postern, options, request, request, request.body);
      if (judged.accepted) next();
      else response.status(judged.status).json({ error: judged.message });
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
export function fastifyGuard(postern: Postern, options: GuardOptions = {}) {
  return async (request: FastifyRequestLike, reply: FastifyReplyLike): Promise<unknown> => {
    const judged = await judge(postern, options, request, request, request.body);
    return judged.accepted ? undefined : reply.code(judged.status).send({ error: judged.message });
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
export function honoGuard(postern: Postern, options: GuardOptions = {}) {
  return async (context: HonoContextLike, next: () => Promise<void>): Promise<Response | undefined> => {
    const isJson = /\bjson\b/i.test(context.req.header('content-type') ?? '');
    const body = await (isJson ? context.req.json() : context.req.parseBody()).catch(() => null);
    const judged = await judge(postern, options, context, context, body);
    if (!judged.accepted) return context.json({ error: judged.message }, judged.status);
    await next();
    return undefined;
  };
}

async function judge(
  postern: Postern,
  options: GuardOptions,
  key: object,
  request: RequestLike | ContextLike,
  body: unknown,
): Promise<EvaluatedSignUp> {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const email = fields[options.emailField ?? 'email'];
  const verdict = fields[options.verdictField ?? 'postern-verdict'];
  const judged = await postern.evaluateSignUp({ email, verdict, request }, options);
  if (judged.accepted) accepted.set(key, judged);
  else options.onRefused?.(judged);
  return judged;
}
