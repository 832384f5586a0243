import { type ConcurrencyLimit, Refused } from './operation.ts';

/**
 * Hashing a password is slow on purpose and uses a thread that others need too. A few run in parallel, some wait, and
 * the rest are refused immediately instead of piling up.
 */
export function createConcurrencyLimit(atOnce: number, mostWaiting: number): ConcurrencyLimit {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting)
        throw new Refused(503, 'Too many people are signing in right now. Try again in a few seconds.', {
          retryAfter: 5,
        });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
