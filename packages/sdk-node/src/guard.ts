import type { ContextLike, RequestLike } from './caller.ts';
import type { AcceptedSignUp, EvaluatedSignUp, EvaluateOptions, RefusedSignUp } from './evaluate-sign-up.ts';
import { hintAboutBody } from './guard-hints.ts';
import type { PosternServerClient } from './postern-server-client.ts';
import { readField } from './read-field.ts';

export interface GuardOptions extends EvaluateOptions {
  /** The form’s field names. Dots separate nested fields, as in `user.email`. */
  emailField?: string;
  verdictField?: string;
  fingerprintField?: string;
  /** Called for each sign-up that was not accepted, for your log. */
  onRefused?: (refusal: RefusedSignUp) => void;
}

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
  readonly contentType: string | null;
}

/** The part that all guards share. */
export async function evaluateBody(
  postern: PosternServerClient,
  options: GuardOptions,
  { key, request, body, contentType }: GuardInput,
): Promise<EvaluatedSignUp> {
  const emailField = options.emailField ?? 'email';
  const email = readField(body, emailField);
  if (email === undefined) hintAboutBody(body, emailField, contentType);
  const result = await postern.evaluateSignUp(
    {
      email,
      verdict: readField(body, options.verdictField ?? 'postern-verdict'),
      fingerprintHash: readField(body, options.fingerprintField ?? 'fingerprintHash'),
      request,
    },
    options,
  );
  if (result.accepted) accepted.set(key, result);
  else reportRefusal(options, result);
  return result;
}

function reportRefusal({ onRefused }: GuardOptions, refusal: RefusedSignUp): void {
  try {
    onRefused?.(refusal);
  } catch (error) {
    // A log that fails must not turn a refused sign-up into a server error.
    console.error(error);
  }
}
