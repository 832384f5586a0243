import { randomUUID } from 'node:crypto';

const SANE = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller’s own ID when it is sane, so that both sides’ logs agree; otherwise a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && SANE.test(header) ? header : timeOrderedUuid(Date.now());
}

/**
 * A UUID of version 7 (RFC 9562, section 5.7). It begins with the time, so that the log’s index of request IDs grows at
 * its end: random ones would touch a page of their own with every request.
 */
function timeOrderedUuid(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${randomUUID().slice(15)}`;
}
