import { createQuotaWatch } from './events/quota-watch.ts';
import type { Log, LogFault } from './log.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createFaultLog, storeOutageLogger } from './service-log.ts';
import type { Store } from './store/store.ts';
import { type WatchedStore, watchStore } from './watch-store.ts';

export interface DecoratedStore {
  /** The operations of a request: watched for failures, and `settle` also watches the quota. */
  readonly forRequests: Pick<Store, 'findKey' | 'settle' | 'refund'>;
  /** Knows whether the store works, for health and metrics. */
  readonly watched: WatchedStore;
  /** Logs a fault, unless the store’s outage explains it. */
  readonly logFault: LogFault;
}

/** Everything that happens around the store’s own work when a request uses it. */
export function decorateStore(
  store: Store,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): DecoratedStore {
  const watched = watchStore(store, {
    ...storeOutageLogger(log),
    onSettled: metrics.settled,
    onFailed: metrics.storeFailed,
  });
  const logFault = createFaultLog(log, watched);
  const noteQuota = createQuotaWatch(store.events, (fault) =>
    logFault(fault, 'could not write a quota.reached event; trying again with a later request'),
  );
  return {
    watched,
    logFault,
    forRequests: {
      findKey: watched.findKey,
      refund: watched.refund,
      async settle(submission, timeoutMs) {
        const settlement = await watched.settle(submission, timeoutMs);
        noteQuota(submission, settlement);
        return settlement;
      },
    },
  };
}
