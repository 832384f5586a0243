import { type Deadline, MAX_TIMER_MS } from './deadline.ts';
import type { Fetch } from './http-answer.ts';

/**
 * Ends a call at half of its time if the service does not answer anything. A service that hangs then costs a page and
 * its backend one time limit together. A service that only waits for a slow domain’s DNS answers this question, and
 * keeps the whole time: otherwise anybody could get a sign-up past the checks with a slow domain.
 */
export function watchForLife(
  deadline: Deadline,
  { url, fetch, timeoutMs }: { url: string; fetch: Fetch; timeoutMs: number },
): () => void {
  const limitMs = Math.min(timeoutMs, MAX_TIMER_MS);
  let isAlive = false;
  const ask = () => {
    const { signal } = deadline;
    fetch(url, { method: 'GET', headers: { Accept: 'application/json' }, signal, credentials: 'omit' }).then(
      () => {
        isAlive = true;
      },
      () => {},
    );
  };
  // Most answers come before the first timer, so that nothing is asked.
  const asking = setTimeout(ask, limitMs / 4);
  const ending = setTimeout(() => {
    if (!isAlive) deadline.expire();
  }, limitMs / 2);
  return () => {
    clearTimeout(asking);
    clearTimeout(ending);
  };
}
