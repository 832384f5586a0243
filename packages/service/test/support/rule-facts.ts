import { RULE_FACTS, type RuleFactName, type RuleFacts } from '@postern/contract/rules';
import type { RuleContext } from '../../src/decision/rules/rule-context.ts';

const NEUTRAL = { string: '', int: 0, bool: false, list: [] } as const;

/** Facts with neutral values, except for these. */
export function ruleFactsWith(some: Partial<RuleFacts> = {}): RuleFacts {
  const neutral = Object.entries(RULE_FACTS).map(([name, { type }]) => [name, NEUTRAL[type]]);
  return { ...(Object.fromEntries(neutral) as Record<RuleFactName, never>), ...some };
}

/** The context of a request with these facts, in a project without lists. */
export function ruleContext(facts: RuleFacts): RuleContext {
  return { facts, inList: () => false };
}
