import { type ASTNode, TypeError as CelTypeError, Environment, ParseError } from '@marcbachmann/cel-js';
import { RULE_FACTS, RULE_LIMITS } from '@postern/contract/rules';
import { compileNode, FACT_NAMES } from './rule-code.ts';
import { ExpressionError, type ExpressionFault, type RuleContext } from './rule-context.ts';
import { stepsOf } from './rule-cost.ts';
import { FactUse } from './rule-uses.ts';

/** An expression, ready to be evaluated. */
export interface Expression {
  /** Throws if the evaluation fails. */
  readonly matches: (context: RuleContext) => boolean;
  readonly use: FactUse;
  /** What was parsed. */
  readonly ast: ASTNode;
}

export type ReadExpression =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly fault: ExpressionFault };

const CEL_TYPES = { string: 'string', int: 'int', bool: 'bool', list: 'list<string>' } as const;
/** Deeper than people write, and far from the end of the stack. */
const MAX_DEPTH = 32;
/** About ten times what 200 names and values take once. */
const MAX_STEPS = 2_000;

/** Parses an expression, checks its names, types and size, and compiles it. Linear in its length. */
export function readExpression(source: string): ReadExpression {
  if (source.length > RULE_LIMITS.characters)
    return fault(source, RULE_LIMITS.characters, `Expected at most ${RULE_LIMITS.characters} characters.`);
  try {
    const parsed = environment().parse(source);
    const { valid, type, error } = parsed.check();
    if (!valid) throw error;
    if (type !== 'bool')
      return fault(source, 0, `Expected a condition, which is true or false; this is of type ${type}.`);
    const use = new FactUse();
    const { run } = compileNode(parsed.ast, { use });
    const steps = stepsOf(parsed.ast);
    if (steps > MAX_STEPS)
      return fault(
        source,
        0,
        `Expected at most ${MAX_STEPS} steps; this may take ${steps}. Make lists shorter.`,
      );
    return {
      ok: true,
      expression: { matches: (context) => run(context, '') === true, use, ast: parsed.ast },
    };
  } catch (error) {
    if (error instanceof ExpressionError) return fault(source, error.start, error.message);
    if (!(error instanceof ParseError || error instanceof CelTypeError)) throw error;
    return fault(source, error.range?.start ?? 0, explain(error));
  }
}

let shared: Environment | undefined;

/** Facts with a dot are fields of an object for the library. */
function environment(): Environment {
  if (shared !== undefined) return shared;
  const limits = {
    maxAstNodes: RULE_LIMITS.nodes,
    maxDepth: MAX_DEPTH,
    maxListElements: RULE_LIMITS.nodes,
    maxMapEntries: 0,
    maxCallArguments: 4,
  };
  const created = new Environment({ unlistedVariablesAreDyn: false, limits });
  const groups = new Map<string, Record<string, string>>();
  for (const [name, { type }] of Object.entries(RULE_FACTS)) {
    const [group = '', field] = name.split('.');
    if (field === undefined) created.registerVariable(name, CEL_TYPES[type]);
    else groups.set(group, { ...groups.get(group), [field]: CEL_TYPES[type] });
  }
  for (const [name, schema] of groups) created.registerVariable(name, { schema });
  const unused = () => false;
  created.registerFunction('inList(string, string): bool', unused);
  created.registerFunction('inList(string, int): bool', unused);
  shared = created;
  return created;
}

const TOKENS: Readonly<Record<string, string>> = {
  RPAREN: ')',
  LPAREN: '(',
  RBRACKET: ']',
  LBRACKET: '[',
  RBRACE: '}',
  COLON: ':',
  COMMA: ',',
  EOF: 'the end',
  IDENTIFIER: 'a name',
};

/** The library’s message, with signs instead of the names of tokens, and with what is possible. */
function explain({ code, summary, node }: ParseError | CelTypeError): string {
  const message = summary.replace(/\b[A-Z]{3,}\b/g, (token) => TOKENS[token] ?? token);
  if (code === 'unknown_variable') return `${message}. Expected one of ${FACT_NAMES.join(', ')}.`;
  if (code === 'no_such_key') return `${message}. Expected one of ${fieldsOf(node).join(', ')}.`;
  if (code === 'limit_exceeded')
    return `Expected at most ${RULE_LIMITS.nodes} names, values and operators, and at most ${MAX_DEPTH} inside each other.`;
  return `${message}.`;
}

function fieldsOf(node: ParseError['node']): string[] {
  const [group] = Array.isArray(node?.args) ? (node.args as readonly ASTNode[]) : [];
  const name = group?.op === 'id' ? group.args : undefined;
  const fields = FACT_NAMES.filter((each) => name === undefined || each.startsWith(`${name}.`));
  return fields.length > 0 ? fields : FACT_NAMES;
}

function fault(source: string, start: number, message: string): ReadExpression {
  const before = source.slice(0, start).split('\n');
  return {
    ok: false,
    fault: { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message },
  };
}
