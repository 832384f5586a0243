import { type Settlement, type Store, StoreUnavailable } from './store/store.ts';

type Watchable = Pick<Store, 'findKey' | 'settle' | 'refund' | 'ping'>;

/** Wraps the store’s operations for requests and notices when it fails and when it works again. */
export interface WatchedStore extends Watchable {
  /** Why the last operation failed; `undefined` after a success, or if nothing failed for a while. */
  readonly trouble: () => StoreUnavailable | undefined;
  /** `false` from a failure until the store has worked for a while. */
  readonly isUp: () => boolean;
  /** Requests that wait to be counted. */
  readonly pending: () => number;
  readonly close: () => void;
}

export interface StoreEvents {
  /** The store began to fail. Called once for an outage. */
  readonly onOutage: (reason: StoreUnavailable) => void;
  /** The store works again. */
  readonly onRecovery: (outage: Outage) => void;
  /** The store counted a request in this time. */
  readonly onSettled?: (ms: number) => void;
  /** An operation of a request failed with this code. */
  readonly onFailed?: (code: string) => void;
}

interface Outage {
  readonly lastedMs: number;
  /** Codes of all failures, in the order in which they were first seen. */
  readonly codes: readonly string[];
  readonly failures: number;
}

/**
 * A load balancer sends requests only to ready instances, so a failure must expire for them to be tried again. The store
 * counts as back after this long without a failure.
 */
const TROUBLE_COUNTS_MS = 5_000;
const PROBE_EVERY_MS = 1_000;

const NO_EVENTS: StoreEvents = { onOutage: () => {}, onRecovery: () => {} };

/** A store can answer a ping and still be unable to write, for example on a full disk. */
export function watchStore(
  store: Watchable,
  { onOutage, onRecovery, onSettled, onFailed }: StoreEvents = NO_EVENTS,
  stopwatch: () => number = () => performance.now(),
): WatchedStore {
  let trouble: StoreUnavailable | undefined;
  let troubledAt = 0;
  let outage: { readonly since: number; readonly codes: Set<string>; failures: number } | undefined;
  /** When the first operation after the last failure succeeded. */
  let workedAt: number | undefined;
  let probe: NodeJS.Timeout | undefined;
  let pending = 0;

  const worked = () => {
    trouble = undefined;
    if (outage !== undefined) workedAt ??= stopwatch();
  };
  const failed = (reason: StoreUnavailable) => {
    // Closing is not an outage.
    if (reason.code === 'closed') return;
    trouble = reason;
    troubledAt = stopwatch();
    workedAt = undefined;
    if (outage === undefined) {
      outage = { since: troubledAt, codes: new Set(), failures: 0 };
      onOutage(reason);
      probe = setInterval(() => void lookAgain(), PROBE_EVERY_MS).unref();
    }
    outage.codes.add(reason.code);
    outage.failures += 1;
  };
  const lookAgain = async (): Promise<void> => {
    if (workedAt === undefined) await ping().catch(() => {});
    if (outage === undefined || workedAt === undefined || stopwatch() - troubledAt < TROUBLE_COUNTS_MS)
      return;
    clearInterval(probe);
    const { since, codes, failures } = outage;
    onRecovery({ lastedMs: Math.round(workedAt - since), codes: [...codes], failures });
    outage = undefined;
    workedAt = undefined;
  };
  const noting = (error: unknown): never => {
    if (error instanceof StoreUnavailable) failed(error);
    throw error;
  };
  const counting = (error: unknown): never => {
    if (error instanceof StoreUnavailable) onFailed?.(error.code);
    return noting(error);
  };
  const ping = (): Promise<void> => store.ping().then(pinged, noting);
  /** A ping does not write, so it does not end trouble with writing. */
  const pinged = () => {
    if (outage !== undefined) workedAt ??= stopwatch();
  };

  return {
    findKey: (hash, timeoutMs) => store.findKey(hash, timeoutMs).catch(counting),
    async settle(submission, timeoutMs): Promise<Settlement> {
      const began = stopwatch();
      pending += 1;
      try {
        const settlement = await store.settle(submission, timeoutMs);
        worked();
        onSettled?.(stopwatch() - began);
        return settlement;
      } catch (error) {
        return counting(error);
      } finally {
        pending -= 1;
      }
    },
    refund: (projectId, month) => store.refund(projectId, month).catch(counting),
    ping,
    trouble: () => (stopwatch() - troubledAt < TROUBLE_COUNTS_MS ? trouble : undefined),
    isUp: () => outage === undefined,
    pending: () => pending,
    close: () => clearInterval(probe),
  };
}
