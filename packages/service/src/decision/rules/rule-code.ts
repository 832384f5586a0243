import type { ASTNode } from '@marcbachmann/cel-js';
import {
  CROWD_SPANS,
  CROWD_THINGS,
  type CrowdFactName,
  RULE_FACTS,
  RULE_FUNCTIONS,
  type RuleFactName,
} from '@postern/contract/rules';
import { getOrMake } from '../../model/get-or-make.ts';
import { TOO_LARGE } from './explain-syntax.ts';
import { explainName, explainPart, noFunction, shown } from './explain-types.ts';
import { arithmetic, comparison, sameValue, wholePart } from './rule-arithmetic.ts';
import {
  ExpressionError,
  type FactUse,
  type RuleContext,
  type Run,
  typeOf,
  type Value,
} from './rule-context.ts';

/**
 * How compiled code reads each fact. One function for all of them, with the name as its parameter, takes several times as long: V8
 * remembers where a property is for each place in the source, and gives up at places that read many of them.
 */
const READ_FACT: Readonly<Record<RuleFactName, Run>> = {
  'email.domain': ({ facts }) => facts['email.domain'],
  'email.registrable': ({ facts }) => facts['email.registrable'],
  'email.tld': ({ facts }) => facts['email.tld'],
  'email.class': ({ facts }) => facts['email.class'],
  'email.shape': ({ facts }) => facts['email.shape'],
  'email.role': ({ facts }) => facts['email.role'],
  'email.tagged': ({ facts }) => facts['email.tagged'],
  'email.relay': ({ facts }) => facts['email.relay'],
  'mail.kind': ({ facts }) => facts['mail.kind'],
  'mail.host': ({ facts }) => facts['mail.host'],
  'mail.domainsMonth': ({ facts }) => facts['mail.domainsMonth'],
  'ip.known': ({ facts }) => facts['ip.known'],
  'ip.kind': ({ facts }) => facts['ip.kind'],
  'ip.country': ({ facts }) => facts['ip.country'],
  'ip.asn': ({ facts }) => facts['ip.asn'],
  'ip.network': ({ facts }) => facts['ip.network'],
  'ip.range': ({ facts }) => facts['ip.range'],
  'device.known': ({ facts }) => facts['device.known'],
  'device.automated': ({ facts }) => facts['device.automated'],
  'device.hash': ({ facts }) => facts['device.hash'],
  'inbox.hash': ({ facts }) => facts['inbox.hash'],
  'key.type': ({ facts }) => facts['key.type'],
  'time.hour': ({ facts }) => facts['time.hour'],
  'time.weekday': ({ facts }) => facts['time.weekday'],
  'device.reused': ({ facts }) => facts['device.reused'],
  'device.overThreshold': ({ facts }) => facts['device.overThreshold'],
  'inbox.reused': ({ facts }) => facts['inbox.reused'],
  'agent.operator': ({ facts }) => facts['agent.operator'],
  'agent.verified': ({ facts }) => facts['agent.verified'],
  event: ({ facts }) => facts.event,
  signals: ({ facts }) => facts.signals,
  failed: ({ facts }) => facts.failed,
  ...readCrowdFacts(),
};

function readCrowdFacts() {
  const names = CROWD_THINGS.flatMap((thing) => CROWD_SPANS.map((span) => `crowd.${thing}.${span}` as const));
  const read =
    (name: CrowdFactName): Run =>
    ({ facts }) =>
      facts[name];
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<CrowdFactName, Run>;
}

interface Scope {
  readonly use: FactUse;
  /** The name of the variable, inside a macro. */
  readonly variable?: string;
}

/**
 * Compiles a checked expression to functions. Types are those that the library’s checker found. Only what cannot take
 * long is compiled: no regular expressions, no nested loops, nothing that makes lists or long texts. A test holds the results
 * to those of the library’s own evaluator.
 */
export function compileNode(node: ASTNode, scope: Scope): Run {
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
      const run = compileNode(node.args, scope);
      return (context, variable) => !run(context, variable);
    }
    case '-_': {
      const run = compileNode(node.args, scope);
      // Of whole numbers there is no -0.
      const zero = typeOf(node.args) === 'int' ? 0 : -0;
      return (context, variable) => zero - (run(context, variable) as number);
    }
    case '?:':
      return choice(node.args.map((part) => compileNode(part, scope)) as [Run, Run, Run]);
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

function constant({ args, start }: Extract<ASTNode, { op: 'value' }>): Run {
  if (typeof args === 'string' || typeof args === 'boolean' || typeof args === 'number') return () => args;
  if (typeof args !== 'bigint')
    throw new ExpressionError(
      start,
      'Expected a text in quotes, a number, true or false. Leave out the u behind a number and the b before a text.',
    );
  const number = Number(args);
  if (!Number.isSafeInteger(number)) throw new ExpressionError(start, TOO_LARGE);
  return () => number;
}

function fact(node: Extract<ASTNode, { op: 'id' | '.' }>, { use, variable }: Scope): Run {
  if (node.op === 'id' && node.args === variable) return (_, value) => value;
  const name = node.op === 'id' ? node.args : `${sourceOf(node.args[0])}.${node.args[1]}`;
  if (!isFactName(name)) throw new ExpressionError(node.start, explainName(name));
  use.add(name);
  return READ_FACT[name];
}

function isFactName(name: string): name is RuleFactName {
  return Object.hasOwn(RULE_FACTS, name);
}

function sourceOf(node: ASTNode): string {
  return node.op === 'id' ? node.args : node.input.slice(node.start, node.end);
}

function list(elements: readonly Run[]): Run {
  return (context, variable) => elements.map((run) => run(context, variable));
}

/** CEL: a side that decides alone makes an error of the other side irrelevant. */
function both(left: Run, right: Run, decisive: boolean): Run {
  return (context, variable) => {
    let first: Value;
    try {
      first = left(context, variable);
    } catch (error) {
      if (right(context, variable) === decisive) return decisive;
      throw error;
    }
    return first === decisive ? decisive : right(context, variable);
  };
}

function choice([condition, yes, no]: readonly [Run, Run, Run]): Run {
  return (context, variable) => (condition(context, variable) === true ? yes : no)(context, variable);
}

function equality(wanted: boolean, left: Run, right: Run): Run {
  return (context, variable) => sameValue(left(context, variable), right(context, variable)) === wanted;
}

function membership([left, right]: readonly [ASTNode, ASTNode], scope: Scope): Run {
  const element = compileNode(left, scope);
  // A list of constants is made once. `"signal" in signals` depends on that signal only.
  if (right.op === 'list' && right.args.every(({ op }) => op === 'value')) {
    const values = new Set(right.args.map((each) => compileNode(each, scope)(NO_CONTEXT, '')));
    return (context, variable) => values.has(element(context, variable));
  }
  const isFactList = right.op === 'id' && (right.args === 'signals' || right.args === 'failed');
  if (isFactList && right.args !== scope.variable && left.op === 'value' && typeof left.args === 'string') {
    const [name, word] = [right.args as 'signals' | 'failed', left.args];
    scope.use.addWord(name, word);
    return ({ facts }) => facts[name].includes(word);
  }
  const values = compileNode(right, scope);
  return (context, variable) => {
    const wanted = element(context, variable);
    return (values(context, variable) as readonly Value[]).some((each) => sameValue(each, wanted));
  };
}

/** For constants, which look at nothing. */
const NO_CONTEXT = { inList: () => false } as unknown as RuleContext;

function call(node: Extract<ASTNode, { op: 'call' }>, scope: Scope): Run {
  const {
    args: [name, given],
    start,
  } = node;
  if (!Object.hasOwn(RULE_FUNCTIONS, name)) throw unknownFunction(name, start);
  const [first, second] = given.map((each) => compileNode(each, scope));
  if (name === 'inList' && second !== undefined) return listCall(given[0], second, start, scope);
  const [value] = given;
  if (first === undefined || value === undefined || given.length !== 1) throw unknownFunction(name, start);
  if (name === 'size') return sizeOf(value, first);
  const type = typeOf(value);
  if (name === 'string') return (context, variable) => textOf(first(context, variable));
  if (name !== 'int' && name !== 'double') throw unknownFunction(name, start);
  if (type !== 'int' && type !== 'double')
    throw new ExpressionError(
      start,
      `${name} takes a number, and ${shown(value)} is none. Compare the text itself, such as email.tld == "de".`,
    );
  if (name === 'double') return first;
  return (context, variable) => wholePart(first(context, variable) as number);
}

/** CEL writes what is infinite as +Inf and -Inf. */
function textOf(value: Value): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

function listCall(name: ASTNode | undefined, value: Run, start: number, { use }: Scope): Run {
  if (name?.op !== 'value' || typeof name.args !== 'string')
    throw new ExpressionError(start, 'The first argument of inList is the list’s name in quotes.');
  const list = name.args;
  if (!use.lists.has(list)) use.lists.set(list, name.start);
  return (context, variable) => isListed(context, list, value(context, variable) as string | number);
}

/** What each list said about each value of a request. A long domain takes a list as long as a hundred short ones. */
const remembered = new WeakMap<RuleContext['inList'], Map<string, Map<string | number, boolean>>>();

function isListed({ inList }: RuleContext, list: string, value: string | number): boolean {
  const lists = getOrMake(remembered, inList, () => new Map());
  const answers = getOrMake(lists, list, () => new Map());
  return getOrMake(answers, value, () => inList(list, value));
}

function sizeOf(value: ASTNode, run: Run): Run {
  if (typeOf(value) === 'list')
    return (context, variable) => (run(context, variable) as readonly Value[]).length;
  // CEL counts characters, not UTF-16 units.
  return (context, variable) => [...(run(context, variable) as string)].length;
}

const TEXT_TESTS: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  startsWith: (text, part) => text.startsWith(part),
  endsWith: (text, part) => text.endsWith(part),
  contains: (text, part) => text.includes(part),
};

/** Other letters than those of ASCII stay as they are: `toLowerCase` alone would make two letters of some. */
const TEXT_CHANGES: Readonly<Record<string, (text: string) => string>> = {
  lowerAscii: (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  upperAscii: (text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
};

function method({ args: [name, on, given], start }: Extract<ASTNode, { op: 'rcall' }>, scope: Scope): Run {
  if (name === 'exists' || name === 'all' || name === 'exists_one') return quantifier(name, on, given, scope);
  if (!Object.hasOwn(RULE_FUNCTIONS, name)) throw unknownFunction(name, start);
  const text = compileNode(on, scope);
  const [argument] = given.map((each) => compileNode(each, scope));
  const test = Object.hasOwn(TEXT_TESTS, name) ? TEXT_TESTS[name] : undefined;
  if (test !== undefined && argument !== undefined)
    return (context, variable) =>
      test(text(context, variable) as string, argument(context, variable) as string);
  if (name === 'size') return sizeOf(on, text);
  const change = Object.hasOwn(TEXT_CHANGES, name) ? TEXT_CHANGES[name] : undefined;
  if (change !== undefined) return (context, variable) => change(text(context, variable) as string);
  throw unknownFunction(name, start);
}

/** How often the condition must hold: at least once, for every element, or exactly once. */
function quantifier(
  name: 'exists' | 'all' | 'exists_one',
  on: ASTNode,
  [variable, condition]: readonly ASTNode[],
  scope: Scope,
): Run {
  if (scope.variable !== undefined)
    throw new ExpressionError(on.start, 'exists, all and exists_one cannot be inside each other.');
  if (variable?.op !== 'id' || condition === undefined)
    throw new ExpressionError(on.start, `Expected ${RULE_FUNCTIONS[name].form}.`);
  const elements = compileNode(on, scope);
  const test = compileNode(condition, { ...scope, variable: variable.args });
  const holds = (context: RuleContext) => countHolding(elements, test, context);
  if (name === 'exists') return (context) => decided(holds(context), ({ held }) => held > 0);
  if (name === 'all') return (context) => !decided(holds(context), ({ failed }) => failed > 0);
  return (context) => {
    const { held, fault } = holds(context);
    if (fault !== undefined) throw fault;
    return held === 1;
  };
}

interface Holding {
  readonly held: number;
  readonly failed: number;
  readonly fault: Error | undefined;
}

function countHolding(elements: Run, test: Run, context: RuleContext): Holding {
  let [held, failed] = [0, 0];
  let fault: Error | undefined;
  for (const element of elements(context, '') as readonly Value[]) {
    try {
      if (test(context, element) === true) held += 1;
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
