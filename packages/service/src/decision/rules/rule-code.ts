import type { ASTNode } from '@marcbachmann/cel-js';
import { RULE_FACTS, RULE_FUNCTIONS, type RuleFactName } from '@postern/contract/rules';
import { TOO_LARGE } from './explain-syntax.ts';
import { explainName, explainPart, noFunction, shown } from './explain-types.ts';
import { READ_FACT } from './read-fact.ts';
import { arithmetic, comparison, sameValue, wholePart } from './rule-arithmetic.ts';
import { type Code, ExpressionError, type RuleContext, type Value, type ValueType } from './rule-context.ts';
import type { FactUse } from './rule-uses.ts';

interface Scope {
  readonly use: FactUse;
  /** The name of the variable, inside a macro. */
  readonly variable?: { readonly name: string; readonly type: ValueType };
}

/**
 * Compiles a checked expression to functions. The library has checked its types. Only what cannot take long is
 * compiled: no regular expressions, no nested loops, nothing that makes lists or long texts. A test holds the results
 * to those of the library’s own evaluator.
 */
export function compileNode(node: ASTNode, scope: Scope): Code {
  switch (node.op) {
    case 'value':
      return constant(node);
    case 'id':
    case '.':
      return fact(node, scope);
    case 'list':
      return list(node.args.map((element) => compileNode(element, scope)));
    case '&&':
      return both(compileNode(node.args[0], scope), compileNode(node.args[1], scope), false);
    case '||':
      return both(compileNode(node.args[0], scope), compileNode(node.args[1], scope), true);
    case '!_': {
      const { run } = compileNode(node.args, scope);
      return { type: 'bool', run: (context, variable) => !run(context, variable) };
    }
    case '-_': {
      const { type, run } = compileNode(node.args, scope);
      return { type, run: (context, variable) => -(run(context, variable) as number) };
    }
    case '?:':
      return choice(node.args.map((part) => compileNode(part, scope)) as [Code, Code, Code]);
    case 'in':
      return membership(node.args, scope);
    case '==':
    case '!=':
      return equality(node.op === '==', compileNode(node.args[0], scope), compileNode(node.args[1], scope));
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(node.op, compileNode(node.args[0], scope), compileNode(node.args[1], scope));
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return arithmetic(node, compileNode(node.args[0], scope), compileNode(node.args[1], scope));
    case 'call':
      return call(node, scope);
    case 'rcall':
      return method(node, scope);
    default:
      throw new ExpressionError(node.start, explainPart(node));
  }
}

function constant({ args, start }: Extract<ASTNode, { op: 'value' }>): Code {
  if (typeof args === 'string') return { type: 'string', run: () => args };
  if (typeof args === 'boolean') return { type: 'bool', run: () => args };
  if (typeof args === 'number') return { type: 'double', run: () => args };
  if (typeof args !== 'bigint')
    throw new ExpressionError(
      start,
      'Expected a text in quotes, a number, true or false. Leave out the u behind a number and the b before a text.',
    );
  const number = Number(args);
  if (!Number.isSafeInteger(number)) throw new ExpressionError(start, TOO_LARGE);
  return { type: 'int', run: () => number };
}

function fact(node: Extract<ASTNode, { op: 'id' | '.' }>, { use, variable }: Scope): Code {
  if (node.op === 'id' && node.args === variable?.name)
    return { type: variable.type, run: (_, value) => value };
  const name = node.op === 'id' ? node.args : `${sourceOf(node.args[0])}.${node.args[1]}`;
  if (!isFactName(name)) throw new ExpressionError(node.start, explainName(name));
  use.add(name);
  return { type: RULE_FACTS[name].type, run: READ_FACT[name] };
}

function isFactName(name: string): name is RuleFactName {
  return Object.hasOwn(RULE_FACTS, name);
}

function sourceOf(node: ASTNode): string {
  return node.op === 'id' ? node.args : node.input.slice(node.start, node.end);
}

function list(elements: readonly Code[]): Code {
  return {
    type: 'list',
    run: (context, variable) => elements.map(({ run }) => run(context, variable)),
  };
}

/** CEL: a side that decides alone makes an error of the other side irrelevant. */
function both(left: Code, right: Code, decisive: boolean): Code {
  return {
    type: 'bool',
    run: (context, variable) => {
      let first: Value;
      try {
        first = left.run(context, variable);
      } catch (error) {
        if (right.run(context, variable) === decisive) return decisive;
        throw error;
      }
      return first === decisive ? decisive : right.run(context, variable);
    },
  };
}

function choice([condition, yes, no]: readonly [Code, Code, Code]): Code {
  return {
    type: yes.type,
    run: (context, variable) => (condition.run(context, variable) === true ? yes : no).run(context, variable),
  };
}

function equality(wanted: boolean, left: Code, right: Code): Code {
  return {
    type: 'bool',
    run: (context, variable) =>
      sameValue(left.run(context, variable), right.run(context, variable)) === wanted,
  };
}

function membership([left, right]: readonly [ASTNode, ASTNode], scope: Scope): Code {
  const element = compileNode(left, scope);
  // A list of constants is made once. `"signal" in signals` depends on that signal only.
  if (right.op === 'list' && right.args.every(({ op }) => op === 'value')) {
    const values = new Set(right.args.map((each) => compileNode(each, scope).run(NO_CONTEXT, '')));
    return { type: 'bool', run: (context, variable) => values.has(element.run(context, variable)) };
  }
  const isFactList = right.op === 'id' && (right.args === 'signals' || right.args === 'failed');
  if (
    isFactList &&
    right.args !== scope.variable?.name &&
    left.op === 'value' &&
    typeof left.args === 'string'
  ) {
    const [name, word] = [right.args as 'signals' | 'failed', left.args];
    scope.use.addWord(name, word);
    return { type: 'bool', run: ({ history }) => history[name].includes(word) };
  }
  const values = compileNode(right, scope);
  return {
    type: 'bool',
    run: (context, variable) => {
      const wanted = element.run(context, variable);
      return (values.run(context, variable) as readonly Value[]).some((each) => sameValue(each, wanted));
    },
  };
}

/** For constants, which look at nothing. */
const NO_CONTEXT = { inList: () => false } as unknown as RuleContext;

function call(node: Extract<ASTNode, { op: 'call' }>, scope: Scope): Code {
  const {
    args: [name, given],
    start,
  } = node;
  if (!Object.hasOwn(RULE_FUNCTIONS, name)) throw unknownFunction(name, start);
  const codes = given.map((each) => compileNode(each, scope));
  const [first, second] = codes;
  if (name === 'inList' && second !== undefined) return listCall(given[0], second, start, scope);
  if (first === undefined || codes.length !== 1) throw unknownFunction(name, start);
  if (name === 'size') return sizeOf(first);
  if ((name === 'int' || name === 'double') && first.type !== 'int' && first.type !== 'double')
    throw new ExpressionError(
      start,
      `${name} takes a number, and ${shown(node.args[1][0] ?? node)} is none. Compare the text itself, such as email.tld == "de".`,
    );
  if (name === 'double') return { type: 'double', run: first.run };
  if (name === 'int')
    return { type: 'int', run: (context, variable) => wholePart(first.run(context, variable) as number) };
  if (name === 'string')
    return { type: 'string', run: (context, variable) => String(first.run(context, variable)) };
  throw unknownFunction(name, start);
}

function listCall(name: ASTNode | undefined, value: Code, start: number, { use }: Scope): Code {
  if (name?.op !== 'value' || typeof name.args !== 'string')
    throw new ExpressionError(start, 'The first argument of inList is the list’s name in quotes.');
  const list = name.args;
  if (!use.lists.has(list)) use.lists.set(list, name.start);
  return {
    type: 'bool',
    run: (context, variable) => context.inList(list, value.run(context, variable) as string | number),
  };
}

function sizeOf({ type, run }: Code): Code {
  return {
    type: 'int',
    run: (context, variable) => {
      const value = run(context, variable);
      // CEL counts characters, not UTF-16 units.
      return type === 'string' ? [...(value as string)].length : (value as readonly Value[]).length;
    },
  };
}

const TEXT_TESTS: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  startsWith: (text, part) => text.startsWith(part),
  endsWith: (text, part) => text.endsWith(part),
  contains: (text, part) => text.includes(part),
};

function method({ args: [name, on, given], start }: Extract<ASTNode, { op: 'rcall' }>, scope: Scope): Code {
  if (name === 'exists' || name === 'all' || name === 'exists_one') return quantifier(name, on, given, scope);
  if (!Object.hasOwn(RULE_FUNCTIONS, name)) throw unknownFunction(name, start);
  const text = compileNode(on, scope);
  const [argument] = given.map((each) => compileNode(each, scope));
  const test = Object.hasOwn(TEXT_TESTS, name) ? TEXT_TESTS[name] : undefined;
  if (test !== undefined && argument !== undefined)
    return {
      type: 'bool',
      run: (context, variable) =>
        test(text.run(context, variable) as string, argument.run(context, variable) as string),
    };
  if (name === 'size') return sizeOf(text);
  if (name === 'lowerAscii')
    return { type: 'string', run: (context, variable) => String(text.run(context, variable)).toLowerCase() };
  if (name === 'upperAscii')
    return { type: 'string', run: (context, variable) => String(text.run(context, variable)).toUpperCase() };
  throw unknownFunction(name, start);
}

/** How often the condition must hold: at least once, for every element, or exactly once. */
function quantifier(
  name: 'exists' | 'all' | 'exists_one',
  on: ASTNode,
  [variable, condition]: readonly ASTNode[],
  scope: Scope,
): Code {
  if (scope.variable !== undefined)
    throw new ExpressionError(on.start, 'exists, all and exists_one cannot be inside each other.');
  if (variable?.op !== 'id' || condition === undefined)
    throw new ExpressionError(on.start, `Expected ${RULE_FUNCTIONS[name].form}.`);
  const elements = compileNode(on, scope);
  const type = on.op === 'list' && on.args[0] !== undefined ? compileNode(on.args[0], scope).type : 'string';
  const test = compileNode(condition, { ...scope, variable: { name: variable.args, type } });
  const holds = (context: RuleContext) => countHolding(elements, test, context);
  if (name === 'exists')
    return { type: 'bool', run: (context) => decided(holds(context), ({ held }) => held > 0) };
  if (name === 'all')
    return { type: 'bool', run: (context) => !decided(holds(context), ({ failed }) => failed > 0) };
  return {
    type: 'bool',
    run: (context) => {
      const { held, fault } = holds(context);
      if (fault !== undefined) throw fault;
      return held === 1;
    },
  };
}

interface Holding {
  readonly held: number;
  readonly failed: number;
  readonly fault: Error | undefined;
}

function countHolding(elements: Code, test: Code, context: RuleContext): Holding {
  let [held, failed] = [0, 0];
  let fault: Error | undefined;
  for (const element of elements.run(context, '') as readonly Value[]) {
    try {
      if (test.run(context, element) === true) held += 1;
      else failed += 1;
    } catch (error) {
      fault = error as Error;
    }
  }
  return { held, failed, fault };
}

/** As with `||` and `&&`, an error counts only if the other elements do not decide. */
function decided(holding: Holding, isDecided: (holding: Holding) => boolean): boolean {
  if (isDecided(holding)) return true;
  if (holding.fault !== undefined) throw holding.fault;
  return false;
}

function unknownFunction(name: string, start: number): ExpressionError {
  return new ExpressionError(start, noFunction(name));
}
