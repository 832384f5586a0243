import { randomUUID } from 'node:crypto';
import type { HttpRequest } from './http-message.ts';

const WELL_FORMED = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller’s own ID if it is well-formed, so that the logs of both sides match. Otherwise a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && WELL_FORMED.test(header) ? header : timeOrderedUuid(Date.now());
}

/**
 * The ID in the log and in the verdict, by which a backend reports what became of the person. A client key’s
 * caller could send one ID twice, so that it names no person; such an ID is only sent back.
 */
export function storedRequestId(
  { requestId, header }: Pick<HttpRequest, 'requestId' | 'header'>,
  keyType: 'client' | 'server',
): string {
  return keyType === 'client' && header('x-request-id') !== undefined
    ? timeOrderedUuid(Date.now())
    : requestId;
}

/** Many IDs are made within one millisecond, and begin alike. */
let idTime = -1;
let idStart = '';

/**
 * A UUID of version 7 (RFC 9562, section 5.7). It starts with the time, so new IDs go to the end of the log’s index.
 * Random IDs would touch a different index page with every request.
 */
function timeOrderedUuid(now: number): string {
  if (now !== idTime) {
    const time = now.toString(16).padStart(12, '0');
    idTime = now;
    idStart = `${time.slice(0, 8)}-${time.slice(8, 12)}-7`;
  }
  return idStart + randomUUID().slice(15);
}
