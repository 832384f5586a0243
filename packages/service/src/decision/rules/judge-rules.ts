import { RULE_LIMITS, type Rule, type RuleFacts } from '@postern/contract/rules';
import { getOrMake } from '../../model/get-or-make.ts';
import { type Expression, readExpression } from './read-expression.ts';
import type { RuleContext } from './rule-context.ts';

interface CompiledRule {
  readonly rule: Rule;
  /** Absent if the rule cannot be read or the rules before it use up the steps. Saving refuses both. It never matches. */
  readonly expression: Expression | undefined;
}

/** A project’s rules are replaced when they change, never altered, so they are compiled once for each version. */
const compiled = new WeakMap<readonly Rule[], readonly CompiledRule[]>();

function compileRules(rules: readonly Rule[]): readonly CompiledRule[] {
  return getOrMake(compiled, rules, () => {
    let steps = 0;
    return rules.map((rule) => {
      const read = readExpression(rule.when);
      if (read.ok) steps += read.expression.steps;
      const expression = read.ok && steps <= RULE_LIMITS.stepsOfAll ? read.expression : undefined;
      return { rule, expression };
    });
  });
}

export interface JudgedRules {
  /** The rules that match, in their order. */
  readonly matching: readonly Rule[];
  /** The rules whose evaluation failed. They do not match. */
  readonly faulty: readonly Rule[];
}

/** What no rules, or none that match, say. */
export const NO_RULES: JudgedRules = { matching: [], faulty: [] };

/** Evaluates the rules that have not ended at `now`, milliseconds since 1970. */
export function judgeRules(
  rules: readonly Rule[],
  facts: RuleFacts,
  inList: RuleContext['inList'],
  now: number,
): JudgedRules {
  if (rules.length === 0) return NO_RULES;
  const matching: Rule[] = [];
  const faulty: Rule[] = [];
  const context = { facts, inList };
  for (const { rule, expression } of compileRules(rules)) {
    if ((rule.expiresAt ?? Number.POSITIVE_INFINITY) <= now) continue;
    try {
      if (expression === undefined) faulty.push(rule);
      else if (expression.matches(context)) matching.push(rule);
    } catch {
      faulty.push(rule);
    }
  }
  return { matching, faulty };
}

/** The first live rule decides. */
export function decidingRule(rules: readonly Rule[]): Rule | undefined {
  return rules.find(({ mode }) => mode === 'live');
}
