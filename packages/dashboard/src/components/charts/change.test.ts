import { expect, it } from 'vitest';
import { changeText } from './change.tsx';

it.each([
  [5, 5, 'no change'],
  [5, 0, '0 before'],
  [0, 4, '▼ 100%'],
  [6, 4, '▲ 50%'],
  [1_001, 1_000, '▲ 1%'],
  [120, 4, '▲ 30 times as many'],
])('says how %i differs from %i', (now, before, text) => {
  expect(changeText(now, before)).toBe(text);
});
