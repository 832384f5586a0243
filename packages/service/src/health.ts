import type { CurrentData } from './feeds/current-data.ts';
import { healthReport, type PartHealth, type ReadHealth } from './http/routes/health.ts';
import type { MailLookup } from './lookup/dns/mail-lookup.ts';
import type { Store } from './store/store.ts';

export interface HealthParts {
  readonly store: Pick<Store, 'ping'>;
  readonly mail: Pick<MailLookup, 'health'>;
  readonly data: CurrentData;
}

/** How each part is, in words that tell an operator what to do. */
export function createHealth({ store, mail, data }: HealthParts): ReadHealth {
  return async () =>
    healthReport({
      store: await storeHealth(store),
      dns: dnsHealth(mail),
      domains: { status: 'ok', version: data.domainList().version },
      networks: { status: 'ok', version: data.ipRanges().version },
    });
}

async function storeHealth(store: Pick<Store, 'ping'>): Promise<PartHealth> {
  try {
    await store.ping();
    return { status: 'ok' };
  } catch (error) {
    return { status: 'down', message: error instanceof Error ? error.message : 'The store does not answer' };
  }
}

function dnsHealth(mail: Pick<MailLookup, 'health'>): PartHealth {
  const { status, ...facts } = mail.health();
  if (status === 'ok') return { status: 'ok', ...facts };
  const message =
    status === 'offline'
      ? 'The resolver does not know well-known mail domains, so it is not the internet’s. Mail checks answer "unknown" and pass. Set POSTERN_DNS_SERVERS to a working resolver, or POSTERN_DNS_CANARIES to domains that yours knows.'
      : 'The resolver has not answered yet.';
  return { status: 'degraded', message, ...facts };
}
