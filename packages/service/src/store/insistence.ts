const RETRY_MS = 500;
/** After this long it is left as it is; PostgreSQL’s sweep forgets batches after an hour. */
const GIVE_UP_MS = 30 * 60_000;

/** Work that must be done and that nobody waits for: it is tried until it succeeds. */
export interface Insistence {
  insist(work: () => Promise<void>): void;
  /** One more try for what is left; then it is given up. */
  close(): Promise<void>;
}

export function insistence(): Insistence {
  const left = new Set<() => Promise<void>>();
  let closed = false;

  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      left.delete(work);
      return true;
    } catch {
      return false;
    }
  };
  const keepTrying = async (work: () => Promise<void>): Promise<void> => {
    const since = performance.now();
    while (!closed && performance.now() - since < GIVE_UP_MS) {
      if (await attempt(work)) return;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  };

  return {
    insist(work) {
      left.add(work);
      void keepTrying(work);
    },
    async close() {
      closed = true;
      await Promise.all([...left].map(attempt));
    },
  };
}
