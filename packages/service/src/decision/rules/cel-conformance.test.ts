import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ruleContext, ruleFactsWith } from '../../../test/support/rule-facts.ts';
import { readExpression } from './read-expression.ts';

/**
 * The cases of CEL’s own conformance suite that lie within the documented language: github.com/google/cel-spec,
 * tests/simple/testdata, Apache-2.0, from the npm package @bufbuild/cel-spec 0.6.1. An expression that is no condition
 * is compared with its value. `error`: refused when it is saved, or an error when it is evaluated.
 */
type Case = readonly [name: string, source: string, expected: boolean | 'error' | `refused: ${Decision}`];

/** What rules refuse although CEL has it, with the words of the message, and why. */
const DECISIONS = {
  // Facts are JavaScript’s numbers.
  large: /too large/,
  // A text that is no number would be an error of each evaluation.
  'text to number': /takes a number/,
  // Nothing makes lists, so no list is longer than it was written.
  'joined lists': /two numbers of the same kind, or two texts, around \+/,
  // A comparison of two types is nearly always a mistake.
  'mixed types': /one type in a list|does not work here|same type after|&& and \|\| join/,
  // The checker cannot choose between the types that its elements could have.
  'empty list': /type of \[] cannot be determined/,
  // The library reads 0.99 and not .99.
  'leading dot': /“\.” cannot stand here/,
} as const;
type Decision = keyof typeof DECISIONS;

const FILE = new URL('../../../test/support/cel-conformance.json', import.meta.url);
const GROUPS: Readonly<Record<string, readonly Case[]>> = JSON.parse(readFileSync(FILE, 'utf8'));

function outcome(source: string): boolean | string {
  const read = readExpression(source);
  if (!read.ok) return read.fault.message;
  try {
    return read.expression.matches(ruleContext(ruleFactsWith()));
  } catch {
    return 'error';
  }
}

describe.each(Object.entries(GROUPS))('CEL’s cases of %s', (_, cases) => {
  it.each(cases)('%s: %s is %s', (_name, source, expected) => {
    const found = outcome(source);
    if (typeof expected === 'boolean') expect(found).toBe(expected);
    else if (expected === 'error') expect(typeof found).toBe('string');
    else expect(found).toMatch(DECISIONS[expected.replace('refused: ', '') as Decision]);
  });
});

it('there are more than 400 of them', () => {
  expect(Object.values(GROUPS).flat().length).toBeGreaterThan(400);
});
