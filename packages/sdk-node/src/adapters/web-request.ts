import type { RequestLike } from '../caller.ts';
import type { AcceptedSignUp, EvaluatedSignUp, RefusedSignUp } from '../evaluate-sign-up.ts';
import { evaluateBody, type GuardOptions } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';
import { refusalAnswer } from '../refusal-answer.ts';

export type CheckedRequest =
  | { readonly accepted: true; readonly signUp: AcceptedSignUp }
  | { readonly accepted: false; readonly refusal: RefusedSignUp; readonly response: Response };

/**
 * Decides about a web `Request`: Next’s route handlers and middleware, SvelteKit, React Router, Astro, Workers, Deno, Bun.
 * It reads a copy, so your handler can still read the body.
 */
export function checkRequest(
  postern: PosternServerClient,
  request: Request,
  options: GuardOptions = {},
): Promise<CheckedRequest> {
  return checkRequestOf(request, postern, request, options);
}

/** `key` is what `getSignUp` is asked with later. */
export async function checkRequestOf(
  key: object,
  postern: PosternServerClient,
  request: Request,
  options: GuardOptions,
): Promise<CheckedRequest> {
  const contentType = request.headers.get('content-type');
  const copy = request.clone();
  const parsed: Promise<unknown> = /\bjson\b/i.test(contentType ?? '') ? copy.json() : copy.formData();
  const body = await parsed.catch(() => ({}));
  const result = await evaluateBody(postern, options, { key, request, body, contentType });
  if (result.accepted) return { accepted: true, signUp: result };
  const answer = refusalAnswer(result, request.headers.get('accept'));
  const headers = { 'Content-Type': answer.contentType };
  return {
    accepted: false,
    refusal: result,
    response: new Response(answer.body, { status: answer.status, headers }),
  };
}

/** Puts the check before a handler that gets a `Request` first, such as Next’s route handlers. */
export function guardRequest<Rest extends unknown[]>(
  postern: PosternServerClient,
  handler: (request: Request, ...rest: Rest) => Response | Promise<Response>,
  options: GuardOptions = {},
) {
  return async (request: Request, ...rest: Rest): Promise<Response> => {
    const checked = await checkRequest(postern, request, options);
    return checked.accepted ? handler(request, ...rest) : checked.response;
  };
}

/** The same for handlers that get an object with a `request`: SvelteKit endpoints, React Router actions, Astro. */
export function guardEvent<Event extends { readonly request: Request }, Answer>(
  postern: PosternServerClient,
  handler: (event: Event) => Answer | Promise<Answer>,
  options: GuardOptions = {},
) {
  return async (event: Event): Promise<Answer | Response> => {
    const checked = await checkRequest(postern, event.request, options);
    return checked.accepted ? handler(event) : checked.response;
  };
}

/**
 * For server actions, which get a `FormData` and the headers separately: `checkFormData(postern, form, await
 * headers())`.
 */
export function checkFormData(
  postern: PosternServerClient,
  form: FormData,
  headers: RequestLike['headers'],
  options: GuardOptions = {},
): Promise<EvaluatedSignUp> {
  return evaluateBody(postern, options, { key: form, request: { headers }, body: form, contentType: null });
}
