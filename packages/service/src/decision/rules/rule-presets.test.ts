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
  trial_cheap_new_domain: [
    { signals: ['cheap_ending', 'domain_new_here'] },
    { signals: ['cheap_ending', 'random_local_part'] },
  ],
  bots_automated: [{ 'device.automated': true }, { 'device.known': true }],
  bots_hosting_free: [
    { 'ip.kind': 'hosting', 'email.class': 'free' },
    { 'ip.kind': 'hosting', 'email.class': 'business' },
  ],
  bots_network_wave: [
    { signals: ['network_burst'], 'ip.kind': 'ordinary' },
    { signals: ['network_burst'], 'ip.kind': 'corporate' },
  ],
  bots_generated_wave: [
    { signals: ['random_local_part'], 'crowd.network.hour': 6 },
    { signals: ['random_local_part'], 'crowd.network.hour': 5 },
  ],
  accounts_threshold: [{ 'device.overThreshold': true, 'device.reused': true }, { 'device.reused': true }],
  accounts_inbox_device: [{ 'inbox.reused': true, 'device.reused': true }, { 'inbox.reused': true }],
  bombing_script_network: [{ 'crowd.network.hour': 21 }, { 'crowd.network.hour': 21, 'device.known': true }],
  referral_same_device: [{ 'device.reused': true }, { 'device.reused': true, 'inbox.reused': true }],
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

  it('exists for each kind of abuse', () => {
    const groups = new Set(Object.values(RULE_PRESETS).map(({ group }) => group));
    expect([...groups].sort()).toEqual(Object.keys(RULE_PRESET_GROUPS).sort());
  });
});
