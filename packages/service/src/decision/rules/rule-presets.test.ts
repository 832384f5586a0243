import { RULE_PRESET_GROUPS, RULE_PRESETS, type RulePresetId } from '@postern/contract/rule-presets';
import { RULE_ID, RULE_LIMITS, type RuleFacts } from '@postern/contract/rules';
import { describe, expect, it } from 'vitest';
import { ruleContext, ruleFactsWith } from '../../../test/support/rule-facts.ts';
import { readExpression } from './read-expression.ts';

type Some = Partial<RuleFacts>;

/** For each preset what it is meant for, and the nearest that it must leave alone. */
const EXAMPLES: Readonly<Record<RulePresetId, readonly [matches: Some, spared: Some]>> = {
  trial_same_inbox: [{ 'inbox.reused': true }, { 'device.reused': true }],
  trial_same_device: [
    { 'device.reused': true, 'email.class': 'free' },
    { 'device.reused': true, 'email.class': 'business' },
  ],
  trial_unlisted_throwaway: [{ signals: ['disposable_infrastructure'] }, { signals: ['listing_suspect'] }],
  trial_young_domain: [{ signals: ['new_domain'] }, { signals: ['domain_typo'] }],
  trial_cheap_new_domain: [
    { signals: ['cheap_ending', 'domain_new_here'] },
    { signals: ['cheap_ending', 'random_local_part'] },
  ],
  trial_subdomains: [{ signals: ['subdomain_churn'] }, { signals: [] }],
  trial_generated_name: [
    { signals: ['random_local_part'], 'email.class': 'free' },
    { signals: ['random_local_part'], 'email.class': 'relay' },
  ],
  trial_relay_anonymous: [
    { 'email.relay': true, 'ip.kind': 'vpn' },
    { 'email.relay': true, 'ip.kind': 'ordinary' },
  ],
  bots_automated: [{ 'device.automated': true }, { 'device.known': true }],
  bots_hosting_free: [
    { 'ip.kind': 'hosting', 'email.class': 'free' },
    { 'ip.kind': 'hosting', 'email.class': 'business' },
  ],
  bots_no_fingerprint: [{ 'key.type': 'client' }, { 'key.type': 'server' }],
  bots_network_wave: [
    { signals: ['network_burst'], 'ip.kind': 'ordinary' },
    { signals: ['network_burst'], 'ip.kind': 'corporate' },
  ],
  bots_pattern_wave: [{ signals: ['pattern_burst'] }, { signals: ['random_local_part'] }],
  bots_generated_wave: [
    { signals: ['random_local_part'], 'activity.network': 6 },
    { signals: ['random_local_part'], 'activity.network': 5 },
  ],
  bots_anonymous_generated: [
    { signals: ['random_local_part'], 'ip.kind': 'tor' },
    { signals: ['random_local_part'], 'ip.kind': 'vpn' },
  ],
  accounts_threshold: [{ 'device.overThreshold': true, 'device.reused': true }, { 'device.reused': true }],
  accounts_tag_device: [{ 'device.reused': true, 'email.tagged': true }, { 'email.tagged': true }],
  accounts_inbox_device: [{ 'inbox.reused': true, 'device.reused': true }, { 'inbox.reused': true }],
  accounts_hidden_device: [
    { 'device.reused': true, 'ip.kind': 'proxy' },
    { 'device.reused': true, 'ip.kind': 'ordinary' },
  ],
  accounts_digits: [
    { 'device.reused': true, 'email.class': 'free', 'email.shape': 'a.a99' },
    { 'device.reused': true, 'email.class': 'free', 'email.shape': 'a9' },
  ],
  accounts_many_failures: [{ failed: ['ip', 'alias', 'device'] }, { failed: ['ip', 'alias'] }],
  bombing_role_anonymous: [
    { 'email.role': true, 'ip.kind': 'hosting' },
    { 'email.role': true, 'ip.kind': 'corporate' },
  ],
  bombing_script_network: [{ 'activity.network': 21 }, { 'activity.network': 21, 'device.known': true }],
  bombing_one_company: [
    { 'activity.domain': 31, 'email.class': 'business' },
    { 'activity.domain': 31, 'email.class': 'free' },
  ],
  bombing_same_inbox: [{ 'inbox.reused': true }, { 'inbox.reused': true, 'device.known': true }],
  bombing_dead_address: [
    { failed: ['mx'], 'ip.kind': 'hosting' },
    { failed: ['mx'], 'ip.kind': 'ordinary' },
  ],
  referral_same_device: [{ 'device.reused': true }, { 'device.reused': true, 'inbox.reused': true }],
  referral_alias: [{ signals: ['alias_detected'], 'device.reused': true }, { signals: ['alias_detected'] }],
  referral_relay: [{ 'email.relay': true, 'device.reused': true }, { 'email.relay': true }],
  referral_household: [
    { 'activity.network': 6, 'email.class': 'free' },
    { 'activity.network': 6, 'email.class': 'business' },
  ],
  referral_anonymous: [
    { 'ip.kind': 'vpn', 'email.class': 'relay' },
    { 'ip.kind': 'vpn', 'email.class': 'business' },
  ],
};

const ROWS = Object.entries(EXAMPLES) as [RulePresetId, readonly [Some, Some]][];

describe('a ready-made rule', () => {
  it.each(ROWS)('%s matches what it is meant for, and nothing near it', (id, [matching, spared]) => {
    const read = readExpression(RULE_PRESETS[id].when);
    if (!read.ok) throw new Error(read.fault.message);
    const matches = (some: Some) => read.expression.matches(ruleContext(ruleFactsWith(some)));
    expect([matches(matching), matches(spared), matches({})]).toEqual([true, false, false]);
  });

  it('can be saved as it is', () => {
    for (const [id, { name, reason }] of Object.entries(RULE_PRESETS)) {
      expect(id).toMatch(RULE_ID);
      expect(name.length, id).toBeLessThanOrEqual(RULE_LIMITS.nameLength);
      expect(reason.length, id).toBeLessThanOrEqual(RULE_LIMITS.noteLength);
    }
  });

  it('exists at least four times for each kind of abuse', () => {
    const groups = Object.values(RULE_PRESETS).map(({ group }) => group);
    for (const group of Object.keys(RULE_PRESET_GROUPS))
      expect(groups.filter((each) => each === group).length, group).toBeGreaterThan(3);
    expect(groups.length).toBeGreaterThanOrEqual(25);
  });
});
