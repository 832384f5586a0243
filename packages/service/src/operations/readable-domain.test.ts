import { expect, it } from 'vitest';
import { readableAddress, readableDomain } from './readable-domain.ts';

it('shows a domain as people write it, and one that imitates another as it is in DNS', () => {
  expect(readableDomain('xn--bcher-laden-thb.de')).toBe('bücher-laden.de');
  expect(readableAddress('b***@mail.xn--bcher-kva.de')).toBe('b***@mail.bücher.de');
  expect(readableDomain('example.com')).toBe('example.com');
  // The first letter is Cyrillic.
  expect(readableDomain('xn--pple-43d.com')).toBe('xn--pple-43d.com');
  expect(readableDomain('xn--a.com')).toBe('xn--a.com');
});
