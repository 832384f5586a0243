import { expect, it } from 'vitest';
import { ruleContext, ruleFactsWith } from '../../../test/support/rule-facts.ts';
import { readExpression } from '../../decision/rules/read-expression.ts';
import { conditionsOf } from './conditions-of.ts';

const RICH = ruleFactsWith({
  'email.domain': 'mail.example',
  'email.tld': 'example',
  'email.class': 'free',
  'email.shape': 'a99',
  'email.role': true,
  'ip.known': true,
  'ip.kind': 'hosting',
  'ip.country': 'DE',
  'ip.asn': 64_500,
  'ip.range': '203.0.113.0/24',
  'device.reused': true,
  'inbox.hash': 'abc',
  signals: ['role_email', 'odd"quote'],
  failed: ['ip'],
  'key.type': 'client',
  'time.hour': 23,
  'time.weekday': 7,
  'crowd.network.day': 21,
});

it.each([
  ['rich', RICH],
  ['neutral', ruleFactsWith({})],
])('every condition is an expression that holds for the %s facts that it came from', (_name, facts) => {
  for (const when of conditionsOf(facts)) {
    const read = readExpression(when);
    expect([when, read.ok && read.expression.matches(ruleContext(facts))]).toEqual([when, true]);
  }
});

it('names no person and no device, and nothing that is not known', () => {
  expect(conditionsOf(RICH).join()).not.toMatch(/hash/);
  expect(conditionsOf(ruleFactsWith({ 'time.hour': 3, 'time.weekday': 1 }))).toEqual([
    '!ip.known',
    '!device.known',
    'time.hour >= 0 && time.hour < 6',
  ]);
  expect(conditionsOf(RICH)).toContain('crowd.network.day >= 20');
});
