import { randomUUID } from 'node:crypto';

const WELL_FORMED = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller’s own ID if it is well-formed, so that the logs of both sides match. Otherwise a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && WELL_FORMED.test(header) ? header : timeOrderedUuid(Date.now());
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
