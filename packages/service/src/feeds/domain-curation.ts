import { readRows, readWords } from '../lists/read-list.ts';
import { RELAYS } from '../model/relays.ts';

/** Hand-written decisions. They win over every source. */
export interface DomainCuration {
  readonly allowed: readonly string[];
  readonly relays: readonly string[];
  readonly typos: readonly string[];
  readonly freeHosts: readonly string[];
  readonly throwaway: readonly string[];
  /** Host names, and addresses of hosts. */
  readonly throwawayMailHosts: readonly string[];
  readonly businessMailHosts: readonly string[];
  readonly sharedMailHosts: readonly string[];
  readonly sharedNameServers: readonly string[];
}

/** Route 53 takes its names from 64 domains under each of four endings. */
const ROUTE_53 = ['com', 'net', 'org', 'co.uk'].flatMap((ending) =>
  Array.from({ length: 64 }, (_, number) => `awsdns-${String(number).padStart(2, '0')}.${ending}`),
);

const firstColumn = (name: string): string[] => readRows(name).flatMap(([first]) => first ?? []);

/** Reads the lists, 400 KB of text. Only the compiler needs them. */
export function readCuration(): DomainCuration {
  const reviewed = (decision: string) =>
    readRows('domains/reviewed-popular.tsv').flatMap(([domain, is]) =>
      domain !== undefined && is === decision ? [domain] : [],
    );
  return {
    allowed: [
      ...['mail-providers', 'ordinary-senders', 'brands', 'institutions'].flatMap((name) =>
        readWords(`domains/${name}.txt`),
      ),
      ...reviewed('allow'),
    ],
    relays: RELAYS.flatMap((relay) => relay.domains),
    typos: readWords('domains/misspelt-providers.txt'),
    freeHosts: [...readWords('domains/free-hosts.txt'), ...reviewed('free-host')],
    throwaway: readWords('domains/throwaway-services.txt'),
    throwawayMailHosts: [
      ...readWords('mail-hosts/throwaway.txt'),
      ...firstColumn('mail-hosts/throwaway-seen.tsv'),
      ...firstColumn('mail-hosts/throwaway-addresses.tsv'),
    ],
    businessMailHosts: readWords('mail-hosts/business.txt'),
    sharedMailHosts: ['forwarders', 'web-hosts', 'parking'].flatMap((name) =>
      readWords(`mail-hosts/${name}.txt`),
    ),
    sharedNameServers: [
      ...['shared', 'parking'].flatMap((name) => readWords(`name-servers/${name}.txt`)),
      ...ROUTE_53,
    ],
  };
}
