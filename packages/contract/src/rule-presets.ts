import type { Action } from './checks.ts';

/** What ready-made rules are against. */
export const RULE_PRESET_GROUPS = {
  trial: 'Free-trial abuse',
  bots: 'Bots',
  accounts: 'Multi-accounting',
  bombing: 'List bombing',
  referral: 'Referral fraud',
} as const;

export type RulePresetGroup = keyof typeof RULE_PRESET_GROUPS;

export interface RulePreset {
  readonly group: RulePresetGroup;
  readonly name: string;
  readonly when: string;
  readonly then: Action;
  /** Why it exists. It becomes the rule’s note. */
  readonly reason: string;
}

/** Ready-made rules by their IDs. A rule made from one starts in shadow. */
export const RULE_PRESETS = {
  trial_same_inbox: {
    group: 'trial',
    name: 'Trial again with the same inbox',
    when: 'inbox.reused',
    then: 'flag',
    reason: 'Dots and tags turn one inbox into many addresses, and each starts a new trial.',
  },
  trial_same_device: {
    group: 'trial',
    name: 'Trial again on the same device',
    when: 'device.reused && email.class == "free"',
    then: 'flag',
    reason: 'A new free mailbox takes a minute to make; the device behind it stays the same.',
  },
  trial_unlisted_throwaway: {
    group: 'trial',
    name: 'Unlisted throwaway domain',
    when: '"disposable_infrastructure" in signals',
    then: 'flag',
    reason: 'The domain is on no list yet, but it shares mail hosts or name servers with throwaway services.',
  },
  trial_young_domain: {
    group: 'trial',
    name: 'Domain registered within a month',
    when: '"new_domain" in signals',
    then: 'flag',
    reason:
      'Domains are bought to start trials in bulk and left soon after. Needs the operator’s domain dates.',
  },
  trial_cheap_new_domain: {
    group: 'trial',
    name: 'Unlisted domain with a cheap ending, new here',
    when: '"cheap_ending" in signals && "domain_new_here" in signals',
    then: 'flag',
    reason:
      'One in five new throwaway domains on no list has an ending that costs next to nothing. Real shops have them too, so the project must also have first seen the domain this week.',
  },
  trial_subdomains: {
    group: 'trial',
    name: 'New names under one domain',
    when: '"subdomain_churn" in signals',
    then: 'flag',
    reason: 'Somebody with a catch-all domain makes a new subdomain for each trial.',
  },
  trial_generated_name: {
    group: 'trial',
    name: 'Generated name at a free provider',
    when: '"random_local_part" in signals && email.class == "free"',
    then: 'flag',
    reason:
      'People choose names that they can say. A random string of letters is rarely anybody’s main address.',
  },
  trial_relay_anonymous: {
    group: 'trial',
    name: 'Privacy relay behind an anonymous network',
    when: 'email.relay && ip.kind in ["hosting", "vpn", "proxy", "tor"]',
    then: 'flag',
    reason: 'Either alone is fine. Both together leave nothing to recognise a returning person by.',
  },
  bots_automated: {
    group: 'bots',
    name: 'Automated browser',
    when: 'device.automated',
    then: 'block',
    reason: 'The browser says itself that a script drives it.',
  },
  bots_hosting_free: {
    group: 'bots',
    name: 'Free mailbox from a hosting network',
    when: 'ip.kind == "hosting" && email.class == "free"',
    then: 'flag',
    reason: 'Scripts run on rented servers; people with free mailboxes sit at home.',
  },
  bots_no_fingerprint: {
    group: 'bots',
    name: 'Browser key without a fingerprint',
    when: 'key.type == "client" && !device.known',
    then: 'flag',
    reason: 'The SDK sends a fingerprint. A request with its key and without one was written by hand.',
  },
  bots_network_wave: {
    group: 'bots',
    name: 'Wave from one network',
    when: '"network_burst" in signals && ip.kind != "corporate"',
    then: 'flag',
    reason: 'Far more new inboxes than usual come from one network within an hour.',
  },
  bots_pattern_wave: {
    group: 'bots',
    name: 'Wave of names with one shape',
    when: '"pattern_burst" in signals',
    then: 'flag',
    reason: 'Generators keep to one pattern, such as a name with four digits.',
  },
  bots_generated_wave: {
    group: 'bots',
    name: 'Generated names from a busy network',
    when: '"random_local_part" in signals && activity.network > 5',
    then: 'block',
    reason:
      'One generated name can be chance. Several new inboxes from the same network within an hour are not.',
  },
  bots_anonymous_generated: {
    group: 'bots',
    name: 'Generated name behind Tor or a proxy',
    when: 'ip.kind in ["tor", "proxy"] && "random_local_part" in signals',
    then: 'block',
    reason: 'Bots hide where they run and invent the names they sign up with.',
  },
  accounts_threshold: {
    group: 'accounts',
    name: 'Too many inboxes on one device',
    when: 'device.overThreshold',
    then: 'flag',
    reason: 'A family shares a computer. More inboxes than the policy’s threshold are not a family.',
  },
  accounts_tag_device: {
    group: 'accounts',
    name: 'Tagged address on a known device',
    when: 'device.reused && email.tagged',
    then: 'flag',
    reason: 'The second account of the same person, told apart by a tag.',
  },
  accounts_inbox_device: {
    group: 'accounts',
    name: 'Same inbox and same device again',
    when: 'inbox.reused && device.reused',
    then: 'block',
    reason: 'Two independent traces lead to the same person.',
  },
  accounts_hidden_device: {
    group: 'accounts',
    name: 'Known device behind an anonymous network',
    when: 'device.reused && ip.kind in ["vpn", "proxy", "tor"]',
    then: 'flag',
    reason: 'The network changes with each account, the device does not.',
  },
  accounts_digits: {
    group: 'accounts',
    name: 'Numbered name on a known device',
    when: 'device.reused && email.class == "free" && email.shape.endsWith("99")',
    then: 'flag',
    reason: 'Accounts that are made in a row often differ only in the digits at the end.',
  },
  accounts_many_failures: {
    group: 'accounts',
    name: 'Three checks fail at once',
    when: 'size(failed) >= 3',
    then: 'block',
    reason: 'Each check is wrong now and then. Three at once hardly ever are.',
  },
  bombing_role_anonymous: {
    group: 'bombing',
    name: 'Role address from an anonymous network',
    when: 'email.role && ip.kind in ["hosting", "vpn", "proxy", "tor"]',
    then: 'block',
    reason: 'Scripts enter other people’s shared mailboxes into every form they find.',
  },
  bombing_script_network: {
    group: 'bombing',
    name: 'Many inboxes without a device',
    when: 'activity.network > 20 && !device.known',
    then: 'block',
    reason: 'Somebody enters a list of victims from one network, without a browser.',
  },
  bombing_one_company: {
    group: 'bombing',
    name: 'Many inboxes at one company',
    when: 'activity.domain > 30 && email.class == "business"',
    then: 'flag',
    reason: 'Either a company joins, or somebody floods its mailboxes. A look at the rows tells which.',
  },
  bombing_same_inbox: {
    group: 'bombing',
    name: 'Same inbox again without a device',
    when: 'inbox.reused && !device.known',
    then: 'flag',
    reason: 'One victim is signed up again and again under other spellings.',
  },
  bombing_dead_address: {
    group: 'bombing',
    name: 'Address that cannot receive mail, from a server',
    when: '"mx" in failed && ip.kind == "hosting"',
    then: 'block',
    reason: 'Old lists of addresses have many dead domains, and nobody typed them.',
  },
  referral_same_device: {
    group: 'referral',
    name: 'Referred on the referrer’s device',
    when: 'device.reused && !inbox.reused',
    then: 'flag',
    reason: 'Somebody invites themselves: a new inbox on a device that already has an account.',
  },
  referral_alias: {
    group: 'referral',
    name: 'Alias on a known device',
    when: '"alias_detected" in signals && device.reused',
    then: 'block',
    reason: 'The invited friend is another spelling of an inbox on the same device.',
  },
  referral_relay: {
    group: 'referral',
    name: 'Privacy relay on a known device',
    when: 'email.relay && device.reused',
    then: 'flag',
    reason: 'Relays give away any number of addresses; the bonus is for a new person.',
  },
  referral_household: {
    group: 'referral',
    name: 'Several free mailboxes from one network',
    when: 'activity.network > 5 && email.class == "free"',
    then: 'flag',
    reason: 'Bonuses are often collected in series, from one place within an hour.',
  },
  referral_anonymous: {
    group: 'referral',
    name: 'Free mailbox behind a VPN or proxy',
    when: 'ip.kind in ["vpn", "proxy", "tor"] && email.class in ["free", "relay"]',
    then: 'flag',
    reason: 'People who collect bonuses hide that all the friends are in one place.',
  },
} as const satisfies Record<string, RulePreset>;

export type RulePresetId = keyof typeof RULE_PRESETS;

export function isRulePreset(id: string): id is RulePresetId {
  return Object.hasOwn(RULE_PRESETS, id);
}
