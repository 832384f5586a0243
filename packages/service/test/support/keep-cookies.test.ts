import { expect, test } from 'vitest';
import { keepCookies } from './keep-cookies.ts';

const kept = (...lines: string[]) => {
  const jar = new Map([['a', 'old']]);
  keepCookies(jar, lines);
  return jar.get('a');
};

test('digits in a value do not end a cookie', () => {
  expect(kept('a=x1970y; Path=/; HttpOnly')).toBe('x1970y');
  expect(kept('a=max-age=0; Path=/; Max-Age=600')).toBe('max-age=0');
  expect(kept('a=1; Max-Age=0600')).toBe('1');
});

test('an end in the past, no age and an empty value remove it', () => {
  expect(kept('a=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT')).toBeUndefined();
  expect(kept('a=x; path=/; max-age=0')).toBeUndefined();
  expect(kept('a=; Path=/')).toBeUndefined();
});
