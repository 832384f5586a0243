import type { RequestLike } from '../caller.ts';
import { checkGuardOptions, type GuardOptions } from '../evaluate-options.ts';
import { evaluateBody } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';
import { asResponse, refusalAnswer } from '../refusal-answer.ts';
import type { AcceptedSignUp, EvaluatedSignUp, RefusedSignUp } from '../sign-up-result.ts';

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

/** `key` is what `getSignUp` is asked with later, `ip` what the framework says. */
export async function checkRequestOf(
  key: object,
  postern: PosternServerClient,
  request: Request,
  options: GuardOptions,
  ip?: string,
): Promise<CheckedRequest> {
  checkGuardOptions(options);
  const contentType = request.headers.get('content-type');
  const copy = request.clone();
  const parsed: Promise<unknown> = /\bjson\b/i.test(contentType ?? '') ? copy.json() : copy.formData();
  const body = await parsed.catch(() => ({}));
  const source =
    ip === undefined || options.clientIp !== undefined ? request : { headers: request.headers, ip };
  const result = await evaluateBody(postern, options, { key, request: source, body });
  if (result.accepted) return { accepted: true, signUp: result };
  const response = asResponse(refusalAnswer(result, request.headers.get('accept')));
  return { accepted: false, refusal: result, response };
}

/** Puts the check before a handler that gets a `Request` first, such as Next’s route handlers. */
export function guardRequest<Rest extends unknown[]>(
  postern: PosternServerClient,
  handler: (request: Request, ...rest: Rest) => Response | Promise<Response>,
  options: GuardOptions = {},
) {
  checkGuardOptions(options);
  return async (request: Request, ...rest: Rest): Promise<Response> => {
    const checked = await checkRequest(postern, request, options);
    return checked.accepted ? handler(request, ...rest) : checked.response;
  };
}

interface FrameworkEvent {
  readonly request: Request;
  /** SvelteKit’s. */
  readonly getClientAddress?: (() => string) | undefined;
  /** Astro’s. */
  readonly clientAddress?: string | undefined;
}

/**
 * The same for handlers that get an object with a `request`: SvelteKit endpoints, React Router actions, Astro. The IP
 * address comes from the framework, if it has one and no option names another.
 */
export function guardEvent<Event extends FrameworkEvent, Answer>(
  postern: PosternServerClient,
  handler: (event: Event) => Answer | Promise<Answer>,
  options: GuardOptions = {},
) {
  checkGuardOptions(options);
  return async (event: Event): Promise<Answer | Response> => {
    const { request } = event;
    const checked = await checkRequestOf(request, postern, request, options, addressOf(event));
    return checked.accepted ? handler(event) : checked.response;
  };
}

function addressOf(event: FrameworkEvent): string | undefined {
  try {
    return event.getClientAddress?.() ?? event.clientAddress;
  } catch {
    // Both throw where there is no client, as in a page that is rendered during the build.
    return undefined;
  }
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
  checkGuardOptions(options);
  return evaluateBody(postern, options, { key: form, request: { headers }, body: form });
}
