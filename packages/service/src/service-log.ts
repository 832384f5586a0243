import type { Config } from './config.ts';
import type { CurrentDataOptions } from './feeds/current-data.ts';
import type { Log, LogFault } from './log.ts';
import type { DnsEvent } from './lookup/dns/mail-lookup.ts';
import { type Store, StoreUnavailable } from './store/store.ts';
import type { StoreEvents } from './watch-store.ts';

/** A project whose plan is no longer configured has no quota at all, so the operator is warned. */
export async function warnOfUnknownPlans(store: Store, { plans }: Config, log: Log): Promise<void> {
  const affected = (await store.projects.list()).filter(
    ({ plan, quotaLimit, archivedAt }) => quotaLimit === null && archivedAt === null && !plans.has(plan),
  );
  for (const { id, plan } of affected) {
    log.warn(
      { project: id, plan },
      'POSTERN_PLANS has no such plan, so this project answers 402; name the plan or move the project',
    );
  }
}

export function logDnsEvent(log: Log): (event: DnsEvent) => void {
  return ({ type, ...facts }) => {
    if (type === 'resolver-offline') {
      log.warn(
        facts,
        'DNS is not the internet’s: well-known mail domains do not resolve. Mail checks answer "unknown" and pass; set POSTERN_DNS_SERVERS to a working resolver.',
      );
    } else if (type === 'lookup-failed') log.debug(facts, type);
    else log.info(facts, type);
  };
}

export function logData(log: Log): Pick<CurrentDataOptions, 'onSwap' | 'onFault'> {
  return {
    onSwap: (list, version) => log.info({ list, version }, 'refreshed data is in use'),
    onFault: (list, fault) =>
      log.error({ list, err: fault }, 'refreshed data cannot be used; the last good data stays in use'),
  };
}

/** One line when the store fails and one when it works again. */
export function logStore(log: Log): Pick<StoreEvents, 'onGone' | 'onBack'> {
  return {
    onGone: ({ code, message }) =>
      log.error({ code, reason: message }, 'the store failed; requests that need it answer 503'),
    onBack: ({ lastedMs, codes, failures }) =>
      log.info({ lastedMs, codes, failures }, 'the store works again'),
  };
}

/**
 * An outage of the store has its own two lines in the log. Jobs that fail because of it add nothing to them, or a long
 * outage would fill the log. The ping also notices an outage while no request comes.
 */
export function createFaultLog(log: Log, store: Pick<Store, 'ping'>): LogFault {
  return async (fault, message) => {
    const isOutage =
      fault instanceof StoreUnavailable &&
      (await store.ping().then(
        () => false,
        () => true,
      ));
    if (isOutage) log.debug({ err: fault }, message);
    else log.warn({ err: fault }, message);
  };
}
