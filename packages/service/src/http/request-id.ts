import { randomUUID } from 'node:crypto';

const SANE = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller’s own ID when it is sane, so that both sides’ logs meet; else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && SANE.test(header) ? header : randomUUID();
}
