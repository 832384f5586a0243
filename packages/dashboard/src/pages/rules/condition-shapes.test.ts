import { describe, expect, it } from 'vitest';
import { readExpression } from '../../../../service/src/decision/rules/read-expression.ts';
import {
  CONDITION_SHAPES,
  type ConditionShape,
  type ConditionShapeName,
  valuesOf,
  withCondition,
} from './condition-shapes.ts';

const shape = (name: ConditionShapeName): ConditionShape => CONDITION_SHAPES[name];
const written = (name: ConditionShapeName, typed: string) => shape(name).write(valuesOf(shape(name), typed));

describe('a filled-in condition', () => {
  it.each<[ConditionShapeName, string, string]>([
    ['country', 'de', 'ip.country == "DE"'],
    ['country', 'de, at ,', 'ip.country in ["DE", "AT"]'],
    ['operator', 'AS64500, 64501', 'ip.asn in [64500, 64501]'],
    ['domain', 'Example.com', 'email.domain == "example.com"'],
    ['domainEnd', '.xyz', 'email.domain.endsWith(".xyz")'],
    ['domainEnd', '.xyz, .top', '(email.domain.endsWith(".xyz") || email.domain.endsWith(".top"))'],
    ['signal', 'tor_exit', '"tor_exit" in signals'],
    ['networkCount', '20', 'crowd.network.hour > 20'],
    ['device', '', 'device.reused'],
  ])('%s of %j is %s', (name, typed, expected) => {
    expect(written(name, typed)).toBe(expected);
  });

  it('is right for the checker, whatever the shape and the text', () => {
    for (const name of Object.keys(CONDITION_SHAPES) as ConditionShapeName[]) {
      const { options, input } = shape(name);
      const texts = options?.map(([value]) => value) ?? (input === 'texts' ? ['a"b\\', 'x, y'] : ['7']);
      for (const text of texts)
        for (const negated of [false, true])
          expect(readExpression(withCondition('', 'and', written(name, text), negated)), text).toMatchObject({
            ok: true,
          });
    }
  });
});

describe('a condition is added', () => {
  it.each([
    ['', 'and', 'ip.known'],
    ['email.role', 'and', 'email.role && ip.known'],
    ['email.role || email.tagged', 'and', '(email.role || email.tagged) && ip.known'],
    ['email.role && email.tagged', 'or', 'email.role && email.tagged || ip.known'],
    ['email.role ? true : false', 'or', '(email.role ? true : false) || ip.known'],
  ] as const)('to %j with %s', (when, join, expected) => {
    expect(withCondition(when, join, 'ip.known', false)).toBe(expected);
    expect(readExpression(expected).ok).toBe(true);
  });

  it('negated, in brackets', () => {
    expect(withCondition('email.role', 'and', 'ip.known', true)).toBe('email.role && !(ip.known)');
  });
});
