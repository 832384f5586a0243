import { RULE_LIMITS, type Rule, type RuleFacts } from '@postern/contract/rules';
import { HISTORY_STATES } from '../../model/history.ts';
import { type Expression, readExpression } from './read-expression.ts';
import type { RuleContext } from './rule-context.ts';
import { type AddedByHistory, historyBits, withHistory } from './rule-facts.ts';

interface CompiledRule {
  readonly rule: Rule;
  /** Absent if the rule cannot be read or the rules before it use up the steps. Saving refuses both. It never matches. */
  readonly expression: Expression | undefined;
}

interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  /** For each rule the facts of the history that matter to it. Nearly all requests have one of a few lists of effects. */
  readonly bits: WeakMap<readonly AddedByHistory[], readonly number[]>;
}

/** A project’s rules are replaced when they change, never altered, so they are compiled once for each version. */
const compiled = new WeakMap<readonly Rule[], CompiledRules>();

function compileRules(rules: readonly Rule[]): CompiledRules {
  let found = compiled.get(rules);
  if (found === undefined) {
    let steps = 0;
    const each = rules.map((rule) => {
      const read = readExpression(rule.when);
      if (read.ok) steps += read.expression.steps;
      return {
        rule,
        expression: read.ok && steps <= RULE_LIMITS.stepsOfAll ? read.expression : undefined,
      };
    });
    found = { rules: each, bits: new WeakMap() };
    compiled.set(rules, found);
  }
  return found;
}

function bitsOfRules({ rules, bits }: CompiledRules, added: readonly AddedByHistory[]): readonly number[] {
  let found = bits.get(added);
  if (found === undefined) {
    found = rules.map(({ expression }) =>
      expression === undefined ? 0 : historyBits(expression.use, added),
    );
    bits.set(added, found);
  }
  return found;
}

/** What rules are evaluated with, besides the facts. */
export interface RuleSurroundings {
  readonly inList: RuleContext['inList'];
  /** Milliseconds since 1970. A rule that has ended does not match. */
  readonly now: number;
  /** Called if the evaluation of a rule fails. It does not match then. */
  readonly onFault: (rule: Rule) => void;
}

/** A rule that matches, or whose evaluation fails, for some `historyState`. */
export interface RuleMatch {
  readonly rule: Rule;
  /** Where it matches: one bit for each `historyState`. */
  readonly states: number;
  /** Where its evaluation fails, in the same form. */
  readonly failures: number;
}

/** As a number of 32 bits, which is what the operators on bits give. */
export const ALL_STATES = (2 ** HISTORY_STATES - 1) | 0;

/** What can still change, and how. `hasDevice`: without one, only the inbox has a history. */
export interface PossibleHistory {
  readonly added: readonly AddedByHistory[];
  readonly hasDevice: boolean;
}

/**
 * The rules that match, in their order. A rule that does not look at history is evaluated once, any other once for each
 * combination of those facts of the history that it looks at.
 */
export function judgeRules(
  rules: readonly Rule[],
  facts: RuleFacts,
  { added, hasDevice }: PossibleHistory,
  surroundings: RuleSurroundings,
): RuleMatch[] {
  const matches: RuleMatch[] = [];
  const contexts: RuleContext[] = [];
  const contextOf = (state: number) => {
    contexts[state] ??= { facts, history: withHistory(facts, state, added), inList: surroundings.inList };
    return contexts[state];
  };
  const compiledRules = compileRules(rules);
  const bitsOf = bitsOfRules(compiledRules, added);
  for (const [at, { rule, expression }] of compiledRules.rules.entries()) {
    if ((rule.expiresAt ?? Number.POSITIVE_INFINITY) <= surroundings.now) continue;
    if (expression === undefined) {
      surroundings.onFault(rule);
      matches.push({ rule, states: 0, failures: ALL_STATES });
      continue;
    }
    const bits = hasDevice ? (bitsOf[at] ?? 0) : (bitsOf[at] ?? 0) & 1;
    if (bits !== 0 && failsAnyway(expression, contextOf(0))) continue;
    let [states, failures] = [0, 0];
    // Every subset of the bits, the whole first and the empty one last.
    for (let state = bits; ; state = (state - 1) & bits) {
      const holds = evaluate(expression, rule, contextOf(state), surroundings);
      if (holds === true) states |= statesLike(state, bits);
      if (holds === undefined) failures |= statesLike(state, bits);
      if (state === 0) break;
    }
    if ((states | failures) !== 0) matches.push({ rule, states, failures });
  }
  return matches;
}

/** `undefined` if the evaluation fails. */
function evaluate(
  { matches }: Expression,
  rule: Rule,
  context: RuleContext,
  { onFault }: RuleSurroundings,
): boolean | undefined {
  try {
    return matches(context);
  } catch {
    onFault(rule);
    return undefined;
  }
}

/** Whether the expression is false for every history. An error says nothing: the history may decide without that part. */
function failsAnyway({ precondition }: Expression, context: RuleContext): boolean {
  try {
    return precondition?.(context) === false;
  } catch {
    return false;
  }
}

/** The states that agree with this one in these bits, as bits. */
function statesLike(state: number, bits: number): number {
  if (bits === 0) return ALL_STATES;
  let states = 0;
  for (let each = 0; each < HISTORY_STATES; each += 1) if ((each & bits) === state) states |= 1 << each;
  return states;
}

/** The rules whose evaluation fails if the history is this one. */
export function failingRules(matches: readonly RuleMatch[], state: number): Rule[] {
  return matches.filter(({ failures }) => (failures >> state) & 1).map(({ rule }) => rule);
}

/** The rules that match if the history is this one. */
export function matchingRules(matches: readonly RuleMatch[], state: number): Rule[] {
  return matches.filter(({ states }) => (states >> state) & 1).map(({ rule }) => rule);
}

/** The first live rule decides. */
export function decidingRule(rules: readonly Rule[]): Rule | undefined {
  return rules.find(({ mode }) => mode === 'live');
}
