import { expect, it } from 'vitest';
import { localPartShape } from './local-part-shape.ts';

it.each([
  ['jane84', 'a99'],
  ['jane.doe1984', 'a.a9999'],
  ['7jane', '9a'],
  ['jane84+news', 'a99'],
  ['k3jd82h', 'mixed'],
])('%s has the shape %s', (local, shape) => {
  expect(localPartShape(local)).toBe(shape);
});

it.each(['jane', 'jane.doe', '123456789', 'jané84', '"jane 84"', '+84'])('%s has none', (local) => {
  expect(localPartShape(local)).toBeUndefined();
});

it('takes linear time for long names', () => {
  expect(localPartShape(`${'a1'.repeat(50_000)}!`)).toBeUndefined();
  expect(localPartShape('a1'.repeat(50_000))).toBe('mixed');
});
