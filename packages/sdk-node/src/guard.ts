import { type ContextLike, headerIn, type RequestLike } from './caller.ts';
import { type GuardOptions, reportRefusal } from './evaluate-options.ts';
import { hintAboutBody } from './guard-hints.ts';
import type { PosternServerClient } from './postern-server-client.ts';
import { type RefusalAnswer, refusalAnswer } from './refusal-answer.ts';
import type { AcceptedSignUp, EvaluatedSignUp } from './sign-up-result.ts';

const accepted = new WeakMap<object, AcceptedSignUp>();

/** The guard’s result for this request (Hono, Koa: this context; h3: this event), for the handler after it. */
export function getSignUp(request: object): AcceptedSignUp {
  const signUp = accepted.get(request);
  if (signUp === undefined) throw new Error('No Postern guard ran for this request');
  return signUp;
}

export interface GuardInput {
  /** The object that is passed to `getSignUp` later. */
  readonly key: object;
  /** Whose IP and user agent are sent to the service. */
  readonly request: RequestLike | ContextLike;
  readonly body: unknown;
}

/** The part that all guards share. */
export async function evaluateBody(
  postern: PosternServerClient,
  options: GuardOptions,
  { key, request, body }: GuardInput,
): Promise<EvaluatedSignUp> {
  const emailField = options.emailField ?? 'email';
  const email = readField(body, emailField);
  if (email === undefined) hintAboutBody(body, emailField, headerIn(request, 'content-type'));
  const result = await postern.evaluateSignUp(
    {
      email,
      // As a header for clients whose body has fixed fields. A verdict protects itself, wherever it comes from.
      verdict:
        readField(body, options.verdictField ?? 'postern-verdict') ?? headerIn(request, 'postern-verdict'),
      fingerprintHash: readField(body, options.fingerprintField ?? 'fingerprintHash'),
      request,
    },
    options,
  );
  const refusal = result.accepted ? result.wouldRefuse : result;
  if (refusal !== null) reportRefusal(options, refusal);
  if (result.accepted) accepted.set(key, result);
  return result;
}

/** The answer to a sign-up that is refused, `null` if it may go on. */
export async function answerRefused(
  postern: PosternServerClient,
  options: GuardOptions,
  input: GuardInput,
): Promise<RefusalAnswer | null> {
  const result = await evaluateBody(postern, options, input);
  return result.accepted ? null : refusalAnswer(result, headerIn(input.request, 'accept'));
}

/** A field of a parsed body: an object, `FormData`, `URLSearchParams` or a `Map`. Dots separate nested fields. */
function readField(body: unknown, path: string): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  if (hasGet(body)) return body.get(path) ?? undefined;
  if (Object.hasOwn(body, path)) return (body as Record<string, unknown>)[path];
  const dot = path.indexOf('.');
  if (dot === -1 || !Object.hasOwn(body, path.slice(0, dot))) return undefined;
  return readField((body as Record<string, unknown>)[path.slice(0, dot)], path.slice(dot + 1));
}

function hasGet(body: object): body is { get(name: string): unknown } {
  return 'get' in body && typeof body.get === 'function';
}
