import type { PosternError } from './postern-error.ts';

const FIRST_BACKOFF_MS = 250;
const MAX_RETRIES = 3;

/**
 * How long to wait before the next attempt, or `null` if another attempt is pointless. 429 and 500 are retried with
 * exponential backoff, at most three times; gateway errors likewise. A broken connection is retried once, because a
 * kept-alive socket may have been closed in the meantime.
 */
export function retryDelayMs(
  error: PosternError,
  retriesSoFar: number,
  maxRetries: number,
  random: () => number,
): number | null {
  const allowed = Math.min(maxRetries, retriesAllowed(error));
  if (retriesSoFar >= allowed) return null;
  // Jitter over the upper half, so that many clients do not retry at the same moment.
  const backoffMs = FIRST_BACKOFF_MS * 2 ** retriesSoFar * (0.5 + random() / 2);
  const askedMs = 'retryAfter' in error && error.retryAfter !== null ? error.retryAfter * 1000 : 0;
  return askedMs === 0 ? backoffMs : askedMs + random() * FIRST_BACKOFF_MS;
}

function retriesAllowed(error: PosternError): number {
  if (error.label === 'UNREACHABLE') return 1;
  const again =
    error.label === 'RATE_LIMITED' ||
    error.label === 'INTERNAL_ERROR' ||
    error.label === 'UNAVAILABLE' ||
    error.label === 'CONFLICT';
  return again ? MAX_RETRIES : 0;
}
