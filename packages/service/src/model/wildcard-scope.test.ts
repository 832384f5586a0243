import { expect, it } from 'vitest';
import { parseOriginPattern } from './origin-pattern.ts';
import { wildcardScope } from './wildcard-scope.ts';

it.each([
  ['*.com', 'anybody'],
  ['https://*.co.uk', 'anybody'],
  ['*.com:8443', 'anybody'],
  ['*.公司.cn', 'anybody'],
  ['*.github.io', 'customers'],
  ['*.vercel.app', 'customers'],
  ['*.example.com', 'own'],
  ['*.shop.github.io', 'own'],
  ['*.localhost', 'own'],
  ['*.test:3000', 'own'],
  ['com', 'own'],
  ['app://com', 'own'],
])('%s lets in the pages of: %s', (text, reach) => {
  const pattern = parseOriginPattern(text);
  expect(pattern && wildcardScope(pattern)).toBe(reach);
});
