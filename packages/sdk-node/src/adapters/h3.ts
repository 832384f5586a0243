import { headerIn } from '../caller.ts';
import { checkGuardOptions, type GuardOptions } from '../evaluate-options.ts';
import { answerRefused } from '../guard.ts';
import type { PosternServerClient } from '../postern-server-client.ts';
import { join } from '../read-bounded.ts';
import { asResponse } from '../refusal-answer.ts';
import { checkRequestOf } from './web-request.ts';

interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly headers: Record<string, string | string[] | undefined>;
  readonly socket?: { readonly remoteAddress?: string | undefined } | null;
}
interface H3EventLike {
  readonly node: { readonly req: NodeRequest };
  /** Where h3 looks for a body that was already read. */
  _requestBody?: unknown;
}

/** h3 2 has a web request instead. */
interface H3WebEventLike {
  readonly req: Request;
}

/** More than a sign-up form with an upload has. h3 itself reads a body of any size into memory. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** For h3 and Nuxt: `const refused = await checkEvent(postern, event); if (refused) return refused;`. */
export async function checkEvent(
  postern: PosternServerClient,
  event: H3EventLike | H3WebEventLike,
  options: GuardOptions = {},
): Promise<Response | null> {
  checkGuardOptions(options);
  if (isWebEvent(event)) {
    const checked = await checkRequestOf(event, postern, event.req, options);
    return checked.accepted ? null : checked.response;
  }
  const { req } = event.node;
  const bytes = await readBody(req);
  if (bytes === null) return new Response(null, { status: 413 });
  event._requestBody = bytes;
  const refused = await answerRefused(postern, options, {
    key: event,
    request: req,
    body: await parse(bytes, headerIn(req, 'content-type')),
  });
  return refused && asResponse(refused);
}

/** Some versions of h3 1 have a `req` too: Node’s. */
function isWebEvent(event: H3EventLike | H3WebEventLike): event is H3WebEventLike {
  return 'req' in event && typeof event.req.clone === 'function';
}

/** The whole body, because the handler reads it from here; `null` if it is too large. */
async function readBody(request: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.byteLength;
    if (length > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return join(chunks);
}

/** `Response` has the platform’s own parsers. */
async function parse(bytes: Uint8Array<ArrayBuffer>, contentType: string | null): Promise<unknown> {
  const headers = { 'Content-Type': contentType ?? 'application/json' };
  const response = new Response(bytes, { headers });
  const isForm = /^(multipart|application\/x-www-form-urlencoded)/i.test(contentType ?? '');
  const parsed: Promise<unknown> = isForm ? response.formData() : response.json();
  return parsed.catch(() => ({}));
}
