import { type ASTNode, TypeError as CelTypeError, Environment, ParseError } from '@marcbachmann/cel-js';
import type { RuleFault } from '@postern/contract/dashboard';
import { RULE_FACTS, RULE_LIMITS } from '@postern/contract/rules';
import {
  type Advice,
  EXPLAINED_CODES,
  explainCharacter,
  explainExpected,
  explainLimit,
  explainReserved,
  explainToken,
} from './explain-syntax.ts';
import {
  explainField,
  explainFunction,
  explainName,
  explainOperator,
  explainPart,
  nameAt,
  shown,
  typeInWords,
} from './explain-types.ts';
import { compileNode } from './rule-code.ts';
import { ExpressionError, FactUse, type RuleContext } from './rule-context.ts';
import { descendantsOf, stepsOf } from './rule-cost.ts';

/** An expression, ready to be evaluated. */
export interface Expression {
  /** Throws if the evaluation fails. */
  readonly matches: (context: RuleContext) => boolean;
  readonly use: FactUse;
  /** An upper bound of what one evaluation takes. */
  readonly steps: number;
  /** What was parsed. */
  readonly ast: ASTNode;
}

export type ReadExpression =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly fault: RuleFault };

const CEL_TYPES = { string: 'string', int: 'int', bool: 'bool', list: 'list<string>' } as const;

/** Parses an expression, checks its names, types and size, and compiles it. Linear in its length. */
export function readExpression(source: string): ReadExpression {
  if (source.length > RULE_LIMITS.characters)
    return fault(source, RULE_LIMITS.characters, `Expected at most ${RULE_LIMITS.characters} characters.`);
  try {
    const parsed = environment().parse(source);
    const { valid, type, error } = parsed.check();
    if (!valid) throw isExplained(error) ? error : untyped(parsed.ast);
    if (type !== 'bool')
      return fault(
        source,
        0,
        `Expected a condition, which is true or false; this is ${typeInWords(type ?? '')}.`,
      );
    const use = new FactUse();
    const run = compileNode(parsed.ast, { use });
    const steps = stepsOf(parsed.ast);
    if (steps > RULE_LIMITS.steps)
      return fault(
        source,
        0,
        `Expected at most ${RULE_LIMITS.steps} steps; this may take ${steps}. Make lists shorter, or use a named list.`,
      );
    const expression = {
      matches: (context: RuleContext) => run(context, '') === true,
      use,
      steps,
      ast: parsed.ast,
    };
    return { ok: true, expression };
  } catch (error) {
    if (error instanceof ExpressionError) return fault(source, error.start, error.message);
    if (!isExplained(error)) throw error;
    const { start, message } = explain(source, error);
    return fault(source, start, message);
  }
}

const isExplained = (error: unknown): error is ParseError | CelTypeError =>
  error instanceof ParseError || error instanceof CelTypeError;

/** The checker gives up, with an error of no kind, where an empty list or map leaves several types possible. */
function untyped(ast: ASTNode): ExpressionError {
  const empty = [ast, ...descendantsOf(ast)].find(
    ({ op, args }) => (op === 'list' || op === 'map') && args.length === 0,
  );
  return new ExpressionError(
    empty?.start ?? 0,
    `The type of ${shown(empty ?? ast)} cannot be determined here. Write a list with at least one value.`,
  );
}

let shared: Environment | undefined;

interface Schema {
  [name: string]: string | Schema;
}

/** Facts with dots are fields of objects for the library. */
export function factSchema(): Schema {
  const whole: Schema = {};
  for (const [name, { type }] of Object.entries(RULE_FACTS)) {
    const parts = name.split('.');
    const last = parts.pop() ?? '';
    let place = whole;
    for (const part of parts) {
      const known = place[part];
      const inner: Schema = typeof known === 'object' ? known : {};
      place[part] = inner;
      place = inner;
    }
    place[last] = CEL_TYPES[type];
  }
  return whole;
}

function environment(): Environment {
  if (shared !== undefined) return shared;
  const limits = {
    maxAstNodes: RULE_LIMITS.nodes,
    // The library counts the condition itself too.
    maxDepth: RULE_LIMITS.depth + 1,
    maxListElements: RULE_LIMITS.nodes,
    maxMapEntries: 0,
    maxCallArguments: 4,
  };
  const created = new Environment({ unlistedVariablesAreDyn: false, limits });
  for (const [name, schema] of Object.entries(factSchema()))
    if (typeof schema === 'string') created.registerVariable(name, schema);
    else created.registerVariable(name, { schema });
  const unused = () => false;
  created.registerFunction('inList(string, string): bool', unused);
  created.registerFunction('inList(string, int): bool', unused);
  shared = created;
  return created;
}

/** The library’s fault, with what to write instead. */
function explain(source: string, { code, summary, node, range }: ParseError | CelTypeError): Advice {
  const start = range?.start ?? 0;
  if (code === 'unexpected_character') return explainCharacter(source, start);
  if (code === 'expected_token') return explainExpected(source, start, summary);
  if (code === 'unexpected_token') return explainToken(source, start);
  if (code === 'reserved_identifier') return explainReserved(source, start);
  if (code === 'limit_exceeded') return { start, message: explainLimit(summary) };
  const message = EXPLAINED_CODES[code] ?? (isNode(node) ? explainNode(code, summary, node) : undefined);
  if (message !== undefined) return { start, message };
  const advice = summary.includes('scape') ? ' Write \\\\ for a backslash.' : '';
  return { start, message: `${summary.replace(/\.$/, '')}.${advice}` };
}

const isNode = (node: ParseError['node']): node is ASTNode => node !== undefined && 'op' in node;

function explainNode(code: string, summary: string, node: ASTNode): string | undefined {
  switch (code) {
    case 'no_such_overload':
      return explainOperator(node, summary);
    case 'no_matching_overload':
      return explainFunction(node, summary);
    case 'unknown_variable':
      return node.op === 'id' ? explainName(nameAt(node)) : undefined;
    case 'no_such_key':
      return explainField(node);
    case 'cannot_index_type':
    case 'invalid_index_type':
      return explainPart(node);
    case 'invalid_logical_operand':
      return `&& and || join conditions, which are true or false. Expected a comparison, such as ${shown(node)} == "x".`;
    case 'invalid_condition_type':
      return summary.startsWith('Ternary')
        ? 'Expected a condition before the ?.'
        : 'Expected a condition after the comma, such as signals.exists(s, s == "x").';
    case 'invalid_comprehension_range':
      return 'exists, all and exists_one go through a list, such as signals.exists(s, s == "x").';
    case 'incompatible_ternary_branches':
      return 'Expected values of the same type after ? and after :.';
    default:
      return undefined;
  }
}

function fault(source: string, start: number, message: string): ReadExpression {
  return { ok: false, fault: faultAt(source, start, message) };
}

/** A fault with its line and its column, which count from 1. */
export function faultAt(source: string, start: number, message: string): RuleFault {
  const before = source.slice(0, start).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message };
}
