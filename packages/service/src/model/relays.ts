import { readJson } from '../lists/read-list.ts';

/**
 * Privacy relays: addresses that forward to the inbox of an operator’s customer. They are a
 * class of their own: neither disposable, nor an alias that can be resolved to an inbox.
 *
 * Not listed, because nothing in the address shows it: iCloud+ addresses of Hide My Email on icloud.com itself, and
 * Fastmail’s masked addresses on fastmail.com.
 */
export interface Relay {
  readonly operator: string;
  readonly service: string;
  /** The page that describes it; absent where none was noted. */
  readonly source?: string;
  /** Each includes its subdomains. */
  readonly domains: readonly string[];
  /** Whether mail is forwarded only for people with an account, so that the operator can limit abuse. */
  readonly needsAccount: boolean;
  /** Whether `anything@user.domain` belongs to the account `user`. */
  readonly userSubdomains?: true;
  /** Whether `alias+tag@` is the same forwarding address as `alias@`. */
  readonly tags?: true;
}

export const RELAYS: readonly Relay[] = readJson('domains/relays.json');

export interface RelayDomain {
  readonly relay: Relay;
  /** The relay’s domain that equals the address’s domain or is a parent of it. */
  readonly domain: string;
}

const BY_DOMAIN: ReadonlyMap<string, RelayDomain> = new Map(
  RELAYS.flatMap((relay) => relay.domains.map((domain) => [domain, { relay, domain }] as const)),
);

/** The relay that this domain or one of its parents belongs to. */
export function relayOf(domain: string): RelayDomain | undefined {
  for (let at = 0; at >= 0; ) {
    const found = BY_DOMAIN.get(at === 0 ? domain : domain.slice(at));
    if (found !== undefined) return found;
    const dot = domain.indexOf('.', at);
    at = dot < 0 ? -1 : dot + 1;
  }
  return undefined;
}
