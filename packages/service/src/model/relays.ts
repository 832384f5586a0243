/**
 * Privacy relays: addresses that forward to the inbox of somebody who has an account with the operator. They are a
 * class of their own: neither disposable, nor an alias that can be resolved to an inbox.
 *
 * Not listed, because nothing in the address shows it: iCloud+ addresses of Hide My Email on icloud.com itself, and
 * Fastmail’s masked addresses on fastmail.com.
 */
export interface Relay {
  /** The operator. */
  readonly operator: string;
  readonly service: string;
  /** Each includes its subdomains. */
  readonly domains: readonly string[];
  /**
   * Whether somebody must sign up with the operator, before mail is forwarded, so that the operator can limit abuse.
   */
  readonly needsAccount: boolean;
  /** Whether `anything@user.domain` belongs to the account `user`. */
  readonly userSubdomains?: true;
  /** Whether `alias+tag@` is the same forwarding address as `alias@`. */
  readonly tags?: true;
}

export const RELAYS: readonly Relay[] = [
  {
    // developer.apple.com, “Communicating using the private email relay service”; private.icloud.com since June 2026.
    operator: 'Apple',
    service: 'Hide My Email',
    domains: ['privaterelay.appleid.com', 'private.icloud.com'],
    needsAccount: true,
  },
  {
    // support.mozilla.org, “Firefox Relay”: random masks on mozmail.com, custom ones on user.mozmail.com.
    operator: 'Mozilla',
    service: 'Firefox Relay',
    domains: ['mozmail.com', 'relay.firefox.com'],
    needsAccount: true,
    userSubdomains: true,
  },
  {
    // duckduckgo.com, “Email Protection”.
    operator: 'DuckDuckGo',
    service: 'Email Protection',
    domains: ['duck.com'],
    needsAccount: true,
  },
  {
    // simplelogin.io/docs: the public domains, free and premium, and subdomains that a user takes under them.
    operator: 'SimpleLogin',
    service: 'SimpleLogin',
    domains: [
      ...[
        'simplelogin.com',
        'simplelogin.co',
        'simplelogin.io',
        'simplelogin.fr',
        'simplelogin.net',
        'simplelogin.me',
      ],
      ...[
        'slmail.me',
        'slmails.com',
        'aleeas.com',
        'silomails.com',
        'sl.email',
        '8alias.com',
        '8shield.net',
        'dralias.com',
      ],
    ],
    needsAccount: true,
    userSubdomains: true,
  },
  {
    // proton.me/support, “Hide-my-email aliases”; the same machinery as SimpleLogin.
    operator: 'Proton',
    service: 'Proton Pass',
    domains: ['passmail.net', 'passmail.com', 'passinbox.com', 'passfwd.com'],
    needsAccount: true,
  },
  {
    // addy.io/help, “What are the different kinds of aliases”: shared domains, and user.anonaddy.com as a catch-all;
    // “alias+extension@” chooses the recipient of the one alias.
    operator: 'addy.io',
    service: 'addy.io',
    domains: [
      'anonaddy.com',
      'anonaddy.me',
      'addy.io',
      'addymail.com',
      'mailer.me',
      '4wrd.cc',
      'mailshield.app',
    ],
    needsAccount: true,
    userSubdomains: true,
    tags: true,
  },
  {
    // support.startmail.com, “Alias types”: personal aliases always end in @use.startmail.com.
    operator: 'StartMail',
    service: 'StartMail aliases',
    domains: ['use.startmail.com'],
    needsAccount: true,
  },
  { operator: 'Cloaked', service: 'Cloaked', domains: ['cloaked.id', 'cloaked.app'], needsAccount: true },
  // sneakemail.com: forwarding addresses for paying members since 2000.
  {
    operator: 'Sneakemail',
    service: 'Sneakemail',
    domains: ['sneakemail.com', 'snkmail.com', 'snkml.com', 'liamekaens.com'],
    needsAccount: true,
  },
  {
    // 33mail.com: `anything@user.33mail.com` for every account holder, since 2008; the curated list took it off in 2020
    // (disposable-email-domains#249), aggregators still have it.
    operator: '33Mail',
    service: '33Mail',
    domains: ['33mail.com'],
    needsAccount: true,
    userSubdomains: true,
  },
  // Masked addresses of IronVest, which was Blur by Abine: the older ones are on opayq.com.
  {
    operator: 'IronVest',
    service: 'IronVest',
    domains: ['ironvest.com', 'opayq.com'],
    needsAccount: true,
  },
  { operator: 'EmailAlias.io', service: 'EmailAlias.io', domains: ['emailalias.io'], needsAccount: true },
  // adguard-mail.com, knowledge base: aliases need an AdGuard account.
  {
    operator: 'AdGuard',
    service: 'AdGuard Mail',
    domains: ['adguardmail.com'],
    needsAccount: true,
    tags: true,
  },
];

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
