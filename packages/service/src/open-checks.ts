import { builtInChecks } from './checks/built-in-checks.ts';
import type { Checks } from './checks/run-checks.ts';
import type { Config } from './config.ts';
import { type CurrentData, type CurrentDataOptions, openCurrentData } from './feeds/current-data.ts';
import { feedsFolder } from './feeds/feed-health.ts';
import { createMailLookup, type DnsEvent, type MailLookup } from './lookup/dns/mail-lookup.ts';
import { loadDomainDates } from './lookup/domain-dates.ts';
import { createMailInfrastructure } from './lookup/mail-infrastructure.ts';
import { lookUpNetwork } from './lookup/network-lookup.ts';
import { loadOperatorDatabase } from './lookup/operator-mmdb.ts';
import { parseIpAddress } from './model/ip-address.ts';
import type { LookUpNetwork } from './model/network-facts.ts';
import { whyUnreadable } from './model/why-unreadable.ts';

/** The checks and their data, the same for the service and for the commands `check` and `doctor`. */
export interface CheckParts {
  readonly data: CurrentData;
  readonly mail: MailLookup;
  readonly checks: Checks;
  readonly network: LookUpNetwork;
}

/** How long the checks of one address may take. DNS has its own budget; the rest is for all else that can hang. */
export function checkLimitMs({ dnsBudgetMs }: Config): number {
  return dnsBudgetMs + 500;
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
    // `undefined` stands for the default names, an empty list for none.
    canaries: config.dnsCanaries?.length === 0 ? 'off' : config.dnsCanaries,
    budgetMs: config.dnsBudgetMs,
    onEvent: onDnsEvent,
  });
  const operatorDatabase = await loadFile('POSTERN_IP_DATABASE', config.ipDatabase, loadOperatorDatabase);
  const checks = builtInChecks({
    domainList: data.domainList,
    ipRanges: data.ipRanges,
    infrastructure: config.learning
      ? createMailInfrastructure({ networkNumber: (address) => networkNumber(data, address) })
      : undefined,
    zone: config.learning ? mail.zone : undefined,
    operatorDatabase,
    registeredOn: await loadFile('POSTERN_DOMAIN_DATES', config.domainDates, loadDomainDates),
  });
  const network: LookUpNetwork = (ip) => lookUpNetwork({ ranges: data.ipRanges, operatorDatabase }, ip);
  return { data, mail, checks, network };
}

function networkNumber(data: CurrentData, address: string): number | undefined {
  const ip = parseIpAddress(address);
  return ip === undefined ? undefined : data.ipRanges().lookup(ip).asn;
}

/** Loads the file that a setting names. A failure names the setting too. */
async function loadFile<T>(
  setting: string,
  file: string | undefined,
  load: (file: string) => Promise<T>,
): Promise<T | undefined> {
  if (file === undefined) return undefined;
  try {
    return await load(file);
  } catch (cause) {
    throw new Error(`${setting}: ${file} ${whyUnreadable(cause)}`, { cause });
  }
}
