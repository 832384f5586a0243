import { type ASTNode, serialize } from '@marcbachmann/cel-js';
import { SUBJECTS, TRUE_OR_FALSE } from './fact-words.ts';
import { readExpression } from './read-expression.ts';

/**
 * The condition in plain English, to be read after “when”: `the country is “DE” and the browser is automated`. A part
 * that has no words is quoted as it is written. `undefined` if the expression is wrong.
 */
export function ruleEnglish(source: string): string | undefined {
  const read = readExpression(source);
  return read.ok ? condition(read.expression.ast, true) : undefined;
}

/** What the node says if it is `holds`. */
function condition(node: ASTNode, holds: boolean): string {
  switch (node.op) {
    case '!_':
      return condition(node.args, !holds);
    case '&&':
    case '||':
      return junction(node, holds);
    case '==':
    case '!=':
      return equality(node.args, (node.op === '==') === holds) ?? verbatim(node, holds);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(node.op, node.args, holds) ?? verbatim(node, holds);
    case 'in':
      return membership(node.args, holds) ?? verbatim(node, holds);
    case 'id':
    case '.':
      return truth(node, holds) ?? verbatim(node, holds);
    case 'value':
      return node.args === holds ? 'anybody signs up' : 'nobody signs up';
    case 'call':
      return listed(node.args, holds) ?? verbatim(node, holds);
    case 'rcall':
      return textTest(node.args, holds) ?? quantified(node.args, holds) ?? verbatim(node, holds);
    default:
      return verbatim(node, holds);
  }
}

function verbatim(node: ASTNode, holds: boolean): string {
  return `“${serialize(node)}” is ${holds ? 'true' : 'false'}`;
}

/** By De Morgan’s law, “not (a and b)” is “not a or not b”. A group inside another kind of group is in brackets. */
function junction(node: Extract<ASTNode, { op: '&&' | '||' }>, holds: boolean): string {
  const word = (node.op === '&&') === holds ? 'and' : 'or';
  const texts = flatten(node, node.op, holds).map(({ part, holds: wanted }) => {
    const text = condition(part, wanted);
    return part.op === '&&' || part.op === '||' ? `(${text})` : text;
  });
  return joined(texts, word);
}

interface Part {
  readonly part: ASTNode;
  readonly holds: boolean;
}

/** The parts of `a && b && c`. A negation around a part turns it around. */
function flatten(node: ASTNode, op: '&&' | '||', holds: boolean): Part[] {
  if (node.op === op) return node.args.flatMap((part) => flatten(part, op, holds));
  if (node.op === '!_') return flatten(node.args, op === '&&' ? '||' : '&&', !holds);
  return [{ part: node, holds }];
}

function joined(texts: readonly string[], word: 'and' | 'or'): string {
  const last = texts.at(-1) ?? '';
  const others = texts.slice(0, -1);
  return others.length === 0 ? last : `${others.join(', ')} ${word} ${last}`;
}

function truth(node: ASTNode, holds: boolean): string | undefined {
  const words = TRUE_OR_FALSE[nameOf(node) as keyof typeof TRUE_OR_FALSE] as
    | readonly [string, string]
    | undefined;
  return words?.[holds ? 0 : 1];
}

function nameOf(node: ASTNode): string | undefined {
  if (node.op === 'id') return node.args;
  return node.op === '.' && node.args[0].op === 'id' ? `${node.args[0].args}.${node.args[1]}` : undefined;
}

/** How a sentence names a value: a fact, a length, a fact in lower case, or the variable of `exists`. */
function subject(node: ASTNode, variable?: string): string | undefined {
  const name = nameOf(node);
  if (name !== undefined && name === variable) return 'it';
  if (name !== undefined && Object.hasOwn(SUBJECTS, name)) return SUBJECTS[name as keyof typeof SUBJECTS];
  if (node.op === 'call' && node.args[0] === 'size') return length(node.args[1][0], variable);
  if (node.op !== 'rcall') return undefined;
  const [method, on] = node.args;
  if (method === 'size') return length(on, variable);
  const text = subject(on, variable);
  if (text === undefined) return undefined;
  if (method === 'lowerAscii') return `${text} in lower case`;
  return method === 'upperAscii' ? `${text} in upper case` : undefined;
}

function length(of: ASTNode | undefined, variable?: string): string | undefined {
  if (of === undefined) return undefined;
  const name = nameOf(of);
  if (name === 'signals') return 'the number of signals';
  if (name === 'failed') return 'the number of failed checks';
  const text = subject(of, variable);
  return text === 'it' ? 'its length' : text && `the length of ${text}`;
}

/** A constant. */
function value(node: ASTNode): string | undefined {
  if (node.op === '-_' && node.args.op === 'value') return `-${String(node.args.args)}`;
  if (node.op !== 'value') return undefined;
  return typeof node.args === 'string' ? `“${node.args}”` : String(node.args);
}

type Pair = readonly [ASTNode, ASTNode];

function equality([left, right]: Pair, holds: boolean, variable?: string): string | undefined {
  if (right.op === 'value' && typeof right.args === 'boolean') {
    if (TRUE_OR_FALSE[nameOf(left) as keyof typeof TRUE_OR_FALSE] !== undefined)
      return condition(left, right.args === holds);
    return undefined;
  }
  if (left.op === 'value') return right.op === 'value' ? undefined : equality([right, left], holds, variable);
  const what = subject(left, variable);
  if (what === undefined) return undefined;
  if (right.op === 'value' && right.args === '') return `${what} is ${holds ? 'not known' : 'known'}`;
  const other = value(right) ?? subject(right, variable);
  return other && `${what} ${holds ? 'is' : 'is not'} ${other}`;
}

const NEGATED = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;
const TURNED = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;
const ORDERS = { '<': 'is less than', '<=': 'is at most', '>': 'is more than', '>=': 'is at least' } as const;
type Order = keyof typeof ORDERS;

function comparison(op: Order, [left, right]: Pair, holds: boolean, variable?: string): string | undefined {
  if (left.op === 'value' && right.op !== 'value')
    return comparison(TURNED[op], [right, left], holds, variable);
  const what = subject(left, variable);
  const other = value(right) ?? subject(right, variable);
  if (what === undefined || other === undefined) return undefined;
  return `${what} ${ORDERS[holds ? op : NEGATED[op]]} ${other}`;
}

function membership([left, right]: Pair, holds: boolean, variable?: string): string | undefined {
  if (left.op === 'value' && right.op === 'id') {
    if (right.args === 'signals') return `the signal ${left.args} is ${holds ? '' : 'not '}raised`;
    if (right.args === 'failed') return `the check ${left.args} ${holds ? 'fails' : 'does not fail'}`;
  }
  const what = subject(left, variable);
  const values = constants(right);
  if (what === undefined || values === undefined) return undefined;
  if (values.length === 1) return `${what} ${holds ? 'is' : 'is not'} ${values[0]}`;
  return `${what} is ${holds ? 'one' : 'none'} of ${joined(values, 'and')}`;
}

/** The elements of a list that has only constants. */
function constants(node: ASTNode): string[] | undefined {
  if (node.op !== 'list' || node.args.length === 0) return undefined;
  const values = node.args.map(value);
  return values.every((each) => each !== undefined) ? values : undefined;
}

function listed([name, given]: readonly [string, readonly ASTNode[]], holds: boolean): string | undefined {
  const [list, of] = given;
  if (name !== 'inList' || list?.op !== 'value' || of === undefined) return undefined;
  const what = subject(of) ?? value(of);
  return what && `${what} ${holds ? 'is' : 'is not'} on the list “${String(list.args)}”`;
}

const TEXT_TESTS: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  startsWith: ['starts with', 'does not start with'],
  endsWith: ['ends with', 'does not end with'],
  contains: ['contains', 'does not contain'],
};

type MethodCall = readonly [name: string, on: ASTNode, given: readonly ASTNode[]];

function textTest([name, on, [part]]: MethodCall, holds: boolean, variable?: string): string | undefined {
  const words = Object.hasOwn(TEXT_TESTS, name) ? TEXT_TESTS[name] : undefined;
  if (words === undefined || part === undefined) return undefined;
  const [what, other] = [subject(on, variable), value(part) ?? subject(part, variable)];
  return what && other && `${what} ${words[holds ? 0 : 1]} ${other}`;
}

const QUANTITIES: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  exists: ['at least one of', 'none of'],
  all: ['each of', 'not each of'],
  exists_one: ['exactly one of', 'not exactly one of'],
};

/** `signals.exists(s, s.startsWith("device_"))`, and `["a", "b"].exists(s, s in signals)`. */
function quantified([name, on, [variable, test]]: MethodCall, holds: boolean): string | undefined {
  const quantity = Object.hasOwn(QUANTITIES, name) ? QUANTITIES[name]?.[holds ? 0 : 1] : undefined;
  if (quantity === undefined || variable?.op !== 'id' || test === undefined) return undefined;
  const values = constants(on);
  if (values !== undefined && test.op === 'in' && nameOf(test.args[0]) === variable.args) {
    const words = values.map((each) => each.replace(/[“”]/g, ''));
    if (nameOf(test.args[1]) === 'signals')
      return `${quantity} the signals ${joined(words, 'and')} is raised`;
    if (nameOf(test.args[1]) === 'failed') return `${quantity} the checks ${joined(words, 'and')} fails`;
  }
  const elements = subject(on) ?? (values && joined(values, 'and'));
  const about = ofElement(test, variable.args);
  return elements && about && `for ${quantity} ${elements}, ${about}`;
}

/** One condition about the variable of `exists`. */
function ofElement(test: ASTNode, variable: string): string | undefined {
  if (test.op === '==' || test.op === '!=') return equality(test.args, test.op === '==', variable);
  if (test.op === '<' || test.op === '<=' || test.op === '>' || test.op === '>=')
    return comparison(test.op, test.args, true, variable);
  if (test.op === 'in') return membership(test.args, true, variable);
  return test.op === 'rcall' ? textTest(test.args, true, variable) : undefined;
}
