import type { Config } from './config.ts';
import type { CurrentDataOptions } from './feeds/current-data.ts';
import type { Log, LogFault } from './log.ts';
import type { DnsEvent } from './lookup/dns/mail-lookup.ts';
import { type Store, StoreUnavailable } from './store/store.ts';
import { CONNECTIONS, type ResourceEvents, SHORTAGE } from './watch-resources.ts';
import type { StoreEvents } from './watch-store.ts';

/** A project whose plan is no longer configured has a quota of 0 and answers 402, so the operator is warned. */
export async function warnOfUnknownPlans(store: Store, { plans }: Config, log: Log): Promise<void> {
  const affected = (await store.projects.list()).filter(
    ({ plan, quotaLimit, archivedAt }) => quotaLimit === null && archivedAt === null && !plans.has(plan),
  );
  for (const { id, plan } of affected) {
    log.warn(
      { project: id, plan },
      'This project’s plan is not in POSTERN_PLANS, so its requests get 402. Add the plan, or give the project another one.',
    );
  }
}

export function logDnsEvent(log: Log): (event: DnsEvent) => void {
  return ({ type, ...facts }) => {
    if (type === 'resolver-offline') {
      log.warn(
        facts,
        'The DNS resolver cannot see the public internet: well-known mail domains do not resolve. Mail checks answer "unknown" and pass. Set POSTERN_DNS_SERVERS to a working resolver.',
      );
    } else if (type === 'resolver-online')
      log.info(facts, 'The DNS resolver sees the public internet again.');
    else if (type === 'server-failing') log.warn(facts, 'A DNS resolver does not answer; others are asked.');
    else if (type === 'server-recovered') log.info(facts, 'A DNS resolver answers again.');
    else log.debug(facts, type);
  };
}

/** What a shortage means and what to do; `times` counts those since the last line. */
export function resourceLogger(log: Log): ResourceEvents {
  return {
    onShortage: (code, times) => log.error({ code, times }, SHORTAGE),
    onConnectionsRefused: (times) => log.warn({ times }, CONNECTIONS),
  };
}

export function feedDataLogger(log: Log): Pick<CurrentDataOptions, 'onSwap' | 'onFault'> {
  return {
    onSwap: (list, version) => log.info({ list, version }, 'refreshed data is in use'),
    onFault: (list, fault) =>
      log.error({ list, err: fault }, 'refreshed data cannot be used; the last good data stays in use'),
  };
}

/** One line when the store fails and one when it works again. */
export function storeOutageLogger(log: Log): Pick<StoreEvents, 'onOutage' | 'onRecovery'> {
  return {
    onOutage: ({ code, message }) =>
      log.error({ code, reason: message }, 'the store failed; requests that need it answer 503'),
    onRecovery: ({ lastedMs, codes, failures }) =>
      log.info({ lastedMs, codes, failures }, 'the store works again'),
  };
}

/**
 * `storeOutageLogger` already logs the start and end of an outage. Faults caused by it are only logged at debug level, or
 * a long outage would fill the log. The ping shows whether it is still going on. The ping of a watched store also
 * reports an outage that no request has met yet.
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
