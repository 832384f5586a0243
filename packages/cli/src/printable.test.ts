import { createColors } from 'picocolors';
import { expect, test } from 'vitest';
import { printable } from './table.ts';

test.each([
  ['\u001b[2Jx@gmail.com', '�[2Jx@gmail.com'],
  ['\u001b]0;title\u0007', '�]0;title�'],
  ['a\nb\r\tc', 'a�b��c'],
  ['a\u009b31m', 'a�31m'],
  ['evil\u202egnp.exe', 'evil�gnp.exe'],
  ['straße 👩‍👩‍👧', 'straße 👩‍👩‍👧'],
])('%j becomes %j', (text, printed) => {
  expect(printable(text)).toBe(printed);
});

test('colours stay', () => {
  const { red } = createColors(true);
  expect(printable(red('flag'))).toBe(red('flag'));
});
