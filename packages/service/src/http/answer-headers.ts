import { corsHeaders } from './cors.ts';
import type { HttpResponse } from './http-message.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const RETRY_AFTER_SECONDS = '2';

export interface AnswerContext {
  readonly requestId: string;
  readonly origin: string | undefined;
  /** Whether the connection ends with this answer. */
  readonly last: boolean;
  /** How long the body is in UTF-8. */
  readonly bodyBytes: number;
}

/** The headers of an answer as Node’s flat list: name, value, name, value. */
export function answerHeaders(
  { status, headers }: HttpResponse,
  { requestId, origin, last, bodyBytes }: AnswerContext,
): string[] {
  const all = [
    'X-Request-Id',
    requestId,
    'Content-Type',
    JSON_TYPE,
    'Content-Length',
    String(bodyBytes),
    // A shared cache must never serve one origin’s or one language’s answer to another.
    'Vary',
    headers['Content-Language'] === undefined ? 'Origin' : 'Origin, Accept-Language',
    'Cache-Control',
    'no-store',
  ];
  if (origin !== undefined) append(all, corsHeaders(origin));
  if (status === 503) all.push('Retry-After', RETRY_AFTER_SECONDS);
  // The rest of an oversized body is not read, so the connection cannot be used again.
  if (last || status === 413) all.push('Connection', 'close');
  append(all, headers);
  return all;
}

function append(all: string[], headers: Readonly<Record<string, string>>): void {
  for (const name in headers) all.push(name, headers[name] ?? '');
}
