import type { ASTNode } from '@marcbachmann/cel-js';
import { ExpressionError, type Run, typeOf, type Value } from './rule-context.ts';

type Comparison = '<' | '<=' | '>' | '>=';

const ORDERS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

export function comparison(op: Comparison, left: Run, right: Run): Run {
  const holds = ORDERS[op];
  return (context, variable) => holds(orderOf(left(context, variable), right(context, variable)));
}

/** CEL orders texts by their code points. JavaScript compares UTF-16 units, where an emoji comes before U+E000. */
function orderOf(one: Value, other: Value): number {
  if (typeof one === 'string' && typeof other === 'string') return orderOfTexts(one, other);
  return one < other ? -1 : one > other ? 1 : one === other ? 0 : Number.NaN;
}

function orderOfTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    const [unit, otherUnit] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (unit === otherUnit) continue;
    return isSurrogate(unit) === isSurrogate(otherUnit) ? unit - otherUnit : isSurrogate(unit) ? 1 : -1;
  }
  return one.length - other.length;
}

/** Lists are equal if their elements are. */
export function sameValue(one: Value, other: Value): boolean {
  if (one === other || typeof one !== 'object' || typeof other !== 'object') return one === other;
  return one.length === other.length && one.every((each, place) => sameValue(each, other[place] ?? false));
}

/** Half of a character beyond U+FFFF, which comes after every other character. */
const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;

const NUMBERS: Readonly<Record<string, (one: number, other: number) => number>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
  '%': (one, other) => one % other,
};

type ArithmeticNode = Extract<ASTNode, { op: '+' | '-' | '*' | '/' | '%' }>;

/** One for all: a rule can fail for every element of a list, and a new error takes 20 µs for its stack. */
const NOT_WHOLE = new RangeError('The result is no whole number, or too large.');

/** Fails if the number is infinite or too large. */
export function wholePart(number: number): number {
  const whole = Math.trunc(number);
  if (!Number.isSafeInteger(whole)) throw NOT_WHOLE;
  // -0 becomes 0.
  return whole + 0;
}

/** Whole numbers are exact up to 2^53. What is beyond, and a division by zero, is an error. */
export function arithmetic(node: ArithmeticNode, left: Run, right: Run): Run {
  const { op, start } = node;
  const type = typeOf(node.args[0]);
  if (type === 'string' && op === '+')
    return (context, variable) => `${left(context, variable)}${right(context, variable)}`;
  const compute = NUMBERS[op];
  if (compute === undefined || (type !== 'int' && type !== 'double') || typeOf(node.args[1]) !== type)
    throw new ExpressionError(start, `Expected two numbers of the same kind, or two texts, around ${op}.`);
  const result: Run = (context, variable) =>
    compute(left(context, variable) as number, right(context, variable) as number);
  return type === 'double' ? result : (context, variable) => wholePart(result(context, variable) as number);
}
