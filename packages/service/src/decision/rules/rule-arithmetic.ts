import type { ASTNode } from '@marcbachmann/cel-js';
import { type Code, ExpressionError, type Value } from './rule-context.ts';

type Comparison = '<' | '<=' | '>' | '>=';

const ORDERS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

export function comparison(op: Comparison, left: Code, right: Code): Code {
  const holds = ORDERS[op];
  return {
    type: 'bool',
    run: (context, variable) => {
      const [one, other] = [left.run(context, variable), right.run(context, variable)];
      return holds(one < other ? -1 : one > other ? 1 : one === other ? 0 : Number.NaN);
    },
  };
}

/** Lists are equal if their elements are. */
export function sameValue(one: Value, other: Value): boolean {
  if (one === other || typeof one !== 'object' || typeof other !== 'object') return one === other;
  return one.length === other.length && one.every((each, place) => sameValue(each, other[place] ?? false));
}

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
export function arithmetic({ op, start }: ArithmeticNode, left: Code, right: Code): Code {
  const { type } = left;
  if (type === 'string' && op === '+')
    return {
      type,
      run: (context, variable) => `${left.run(context, variable)}${right.run(context, variable)}`,
    };
  const compute = NUMBERS[op];
  if (compute === undefined || (type !== 'int' && type !== 'double') || right.type !== type)
    throw new ExpressionError(start, `Expected two numbers of the same kind, or two texts, around ${op}.`);
  return {
    type,
    run: (context, variable) => {
      const result = compute(left.run(context, variable) as number, right.run(context, variable) as number);
      return type === 'double' ? result : wholePart(result);
    },
  };
}
