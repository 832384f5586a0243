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
  trial_cheap_new_domain: {
    group: 'trial',
    name: 'Unlisted domain with a cheap ending, new here',
    when: '"cheap_ending" in signals && "domain_new_here" in signals',
    then: 'flag',
    reason:
      'One in five new throwaway domains on no list has an ending that costs next to nothing. Real shops have them too, so the project must also have first seen the domain this week.',
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
  bots_network_wave: {
    group: 'bots',
    name: 'Wave from one network',
    when: '"network_burst" in signals && ip.kind != "corporate"',
    then: 'flag',
    reason: 'Far more new inboxes than usual come from one network within an hour.',
  },
  bots_generated_wave: {
    group: 'bots',
    name: 'Generated names from a busy network',
    when: '"random_local_part" in signals && crowd.network.hour > 5',
    then: 'block',
    reason:
      'One generated name can be chance. Several new inboxes from the same network within an hour are not.',
  },
  accounts_threshold: {
    group: 'accounts',
    name: 'Too many inboxes on one device',
    when: 'device.overThreshold',
    then: 'flag',
    reason: 'A family shares a computer. More inboxes than the policy’s threshold are not a family.',
  },
  accounts_inbox_device: {
    group: 'accounts',
    name: 'Same inbox and same device again',
    when: 'inbox.reused && device.reused',
    then: 'block',
    reason: 'Two independent traces lead to the same person.',
  },
  bombing_script_network: {
    group: 'bombing',
    name: 'Many inboxes without a device',
    when: 'crowd.network.hour > 20 && !device.known',
    then: 'block',
    reason: 'Somebody enters a list of victims from one network, without a browser.',
  },
  referral_same_device: {
    group: 'referral',
    name: 'Referred on the referrer’s device',
    when: 'device.reused && !inbox.reused',
    then: 'flag',
    reason: 'Somebody invites themselves: a new inbox on a device that already has an account.',
  },
} as const satisfies Record<string, RulePreset>;

export type RulePresetId = keyof typeof RULE_PRESETS;

export function isRulePreset(id: string): id is RulePresetId {
  return Object.hasOwn(RULE_PRESETS, id);
}
