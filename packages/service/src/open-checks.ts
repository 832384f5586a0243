import { builtInChecks } from './checks/built-in-checks.ts';
import type { Checks } from './checks/run-checks.ts';
import type { Config } from './config.ts';
import { type CurrentData, type CurrentDataOptions, openCurrentData } from './feeds/current-data.ts';
import { feedsFolder } from './feeds/feed-health.ts';
import { createMailLookup, type DnsEvent, type MailLookup } from './lookup/dns/mail-lookup.ts';
import { type DomainDates, loadDomainDates } from './lookup/domain-dates.ts';
import { createMailInfrastructure } from './lookup/mail-infrastructure.ts';
import { lookUpNetwork } from './lookup/network-lookup.ts';
import { loadOperatorDatabase, type OperatorDatabase } from './lookup/operator-mmdb.ts';
import { parseIpAddress } from './model/ip-address.ts';
import type { LookUpNetwork } from './model/network-facts.ts';
import { whyUnreadable } from './model/why-unreadable.ts';

/** The checks and their data. The `check` command of the CLI uses the same. */
export interface CheckParts {
  readonly data: CurrentData;
  readonly mail: MailLookup;
  readonly checks: Checks;
  readonly network: LookUpNetwork;
}

export async function openChecks(
  config: Config,
  onDnsEvent: (event: DnsEvent) => void,
  onData: Pick<CurrentDataOptions, 'onSwap' | 'onFault'> = { onSwap: () => {}, onFault: () => {} },
): Promise<CheckParts> {
  const data = await openCurrentData({
    bundledFolder: new URL('./data/', import.meta.url),
    refreshedFolder: feedsFolder(config.dataDir),
    ...onData,
  });
  const mail = createMailLookup({
    servers: config.dnsServers,
    canaries: config.dnsCanaries?.length === 0 ? 'off' : config.dnsCanaries,
    budgetMs: config.dnsBudgetMs,
    onEvent: onDnsEvent,
  });
  const operatorDatabase = await openOperatorDatabase(config);
  const checks = builtInChecks({
    domainList: data.domainList,
    ipRanges: data.ipRanges,
    infrastructure: config.learning
      ? createMailInfrastructure({ networkNumber: (address) => networkNumber(data, address) })
      : undefined,
    zone: config.learning ? mail.zone : undefined,
    operatorDatabase,
    registeredOn: await openDomainDates(config),
  });
  const network: LookUpNetwork = (ip) => lookUpNetwork({ ranges: data.ipRanges, operatorDatabase }, ip);
  return { data, mail, checks, network };
}

function networkNumber(data: CurrentData, address: string): number | undefined {
  const ip = parseIpAddress(address);
  return ip === undefined ? undefined : data.ipRanges().lookup(ip).asn;
}

async function openOperatorDatabase({ ipDatabase }: Config): Promise<OperatorDatabase | undefined> {
  if (ipDatabase === undefined) return undefined;
  try {
    return await loadOperatorDatabase(ipDatabase);
  } catch (cause) {
    throw new Error(`POSTERN_IP_DATABASE: ${ipDatabase} ${whyUnreadable(cause)}`, { cause });
  }
}

async function openDomainDates({ domainDates }: Config): Promise<DomainDates | undefined> {
  if (domainDates === undefined) return undefined;
  try {
    return await loadDomainDates(domainDates);
  } catch (cause) {
    throw new Error(`POSTERN_DOMAIN_DATES: ${domainDates} ${whyUnreadable(cause)}`, { cause });
  }
}
