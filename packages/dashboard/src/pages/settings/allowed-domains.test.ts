import { describe, expect, it } from 'vitest';
import { explainPattern } from './allowed-domains.tsx';

describe('explainPattern', () => {
  it.each([
    ['example.com', 'exactly example.com, default port, http or https'],
    ['https://example.com/', 'exactly example.com, default port, https only'],
    [
      '*.example.com',
      'any subdomain of example.com, at any depth, but not example.com itself, default port, http or https',
    ],
    ['localhost:3000', 'exactly localhost, port 3000, http or https'],
    ['localhost:*', 'exactly localhost, on any port, http or https'],
    ['app://com.acme.shop', 'the mobile app com.acme.shop'],
    ['[::1]:3000', 'exactly [::1], port 3000, http or https'],
  ])('tells what %s lets in', (pattern, words) => {
    expect(explainPattern(pattern)).toBe(words);
  });

  it.each(['*', 'example.com/path', 'foo.*.example.com', 'https://'])(
    'says that %s matches nothing',
    (pattern) => {
      expect(explainPattern(pattern)).toContain('matches nothing');
    },
  );
});
