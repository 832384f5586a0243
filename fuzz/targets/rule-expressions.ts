import { RULE_FACTS, type RuleFacts } from '@postern/contract/rules';
import { readExpression } from '../../packages/service/src/decision/rules/read-expression.ts';
import { parseListValue } from '../../packages/service/src/model/list-value.ts';
import type { FuzzTarget } from '../target.ts';

const SAMPLES = { string: 'mail.example.com', int: 7, bool: true, list: ['role_email', 'hosting_ip'] };
const FACTS = Object.fromEntries(
  Object.entries(RULE_FACTS).map(([name, { type }]) => [name, SAMPLES[type]]),
) as unknown as RuleFacts;

/** An expression is read or refused with a place, and an evaluation gives true or false or fails, within a moment. */
export const ruleExpressions: FuzzTarget = {
  name: 'rule-expressions',
  words: [
    ...Object.keys(RULE_FACTS),
    '.exists(x, ',
    '.startsWith("a")',
    'inList("l", ',
    'size(',
    ' && ',
    ' || ',
    ' in ',
    '["a", "b"]',
    '(',
    ')',
    '!',
    ' == ',
    '"',
    '1',
    ' / ',
    ' ? ',
    ' : ',
    '\\u0000',
    '\n',
  ],
  open: async () => ({
    check: (input) => {
      const text = input.subarray(0, 20_000).toString('utf8');
      parseListValue(text);
      const read = readExpression(text);
      if (!read.ok) {
        if (read.fault.line < 1 || read.fault.column < 1) throw new Error('a fault without a place');
        return;
      }
      try {
        const result = read.expression.matches({ facts: FACTS, inList: () => true });
        if (typeof result !== 'boolean') throw new Error(`${text} gives ${String(result)}`);
      } catch (error) {
        if (!(error instanceof RangeError) || !/no whole number/.test(error.message)) throw error;
      }
    },
    close: async () => {},
  }),
};
