import { RELAYS } from '../../model/relays.ts';
import { FREE_HOSTS } from './free-hosts.ts';
import { BUSINESS_MAIL_HOSTS, SHARED_MAIL_HOSTS, THROWAWAY_MAIL_HOSTS } from './mail-hosts.ts';
import { MAIL_PROVIDERS } from './mail-providers.ts';
import { SHARED_NAME_SERVERS } from './name-servers.ts';
import { ORDINARY_SENDERS } from './ordinary-senders.ts';
import { THROWAWAY } from './throwaway.ts';
import { TYPOS } from './typos.ts';
import { words } from './words.ts';

/** What people wrote by hand, and what therefore wins over every source. */
export interface DomainCuration {
  readonly allowed: readonly string[];
  readonly relays: readonly string[];
  readonly typos: readonly string[];
  readonly freeHosts: readonly string[];
  readonly throwaway: readonly string[];
  readonly throwawayMailHosts: readonly string[];
  readonly businessMailHosts: readonly string[];
  readonly sharedMailHosts: readonly string[];
  readonly sharedNameServers: readonly string[];
}

export const CURATION: DomainCuration = {
  allowed: [...words(MAIL_PROVIDERS), ...words(ORDINARY_SENDERS)],
  relays: RELAYS.flatMap((relay) => relay.domains),
  typos: words(TYPOS),
  freeHosts: words(FREE_HOSTS),
  throwaway: words(THROWAWAY),
  throwawayMailHosts: words(THROWAWAY_MAIL_HOSTS),
  businessMailHosts: words(BUSINESS_MAIL_HOSTS),
  sharedMailHosts: words(SHARED_MAIL_HOSTS),
  sharedNameServers: SHARED_NAME_SERVERS,
};
