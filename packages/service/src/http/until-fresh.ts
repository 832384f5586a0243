/**
 * A key or project that changes during a request is read again. If it changes more often than this, something else is
 * wrong.
 */
const MAX_ATTEMPTS = 4;

/** Tries until neither key nor project changed during the attempt. `reread`: do not use the cached key. */
export async function untilFresh<T>(attempt: (reread: boolean) => Promise<T | 'stale'>): Promise<T> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const result = await attempt(attempts > 0);
    if (result !== 'stale') return result;
  }
  throw new Error(`Key or project changed during each of ${MAX_ATTEMPTS} attempts at one request`);
}
