import { expect, test } from 'vitest';
import { maskListValue, parseListValue } from './list-value.ts';

const HASH = 'Ab-_0123456789abcdefgh';

test.each([
  ['Jane@Example.COM', 'address', 'jane@example.com'],
  [' example.com ', 'domain', 'example.com'],
  ['@example.com', 'domain', 'example.com'],
  ['*.example.com', 'domain', 'example.com'],
  ['.example.com', 'domain', 'example.com'],
  ['example.com.', 'domain', 'example.com'],
  ['bücher.example', 'domain', 'xn--bcher-kva.example'],
  ['jane@bücher.example', 'address', 'jane@xn--bcher-kva.example'],
  ['203.0.113.7', 'ip', '203.0.113.7'],
  ['203.0.113.7/32', 'ip', '203.0.113.7'],
  ['::ffff:203.0.113.7', 'ip', '203.0.113.7'],
  ['203.0.113.7/24', 'range', '203.0.113.0/24'],
  ['2001:DB8::/32', 'range', '2001:db8::/32'],
  ['as64500', 'asn', 'AS64500'],
  ['AS4294967295', 'asn', 'AS4294967295'],
  ['country:de', 'country', 'country:DE'],
  [`person:${HASH}`, 'person', `person:${HASH}`],
  [`device:${HASH}`, 'device', `device:${HASH}`],
])('%j is the %s %j', (typed, kind, text) => {
  expect(parseListValue(typed)).toMatchObject({ kind, text });
});

test.each([
  '',
  'com',
  'a b.com',
  'jane@',
  'two words@example.com',
  '203.0.113.0/33',
  '203.0.113',
  'http://example.com',
  `${'a'.repeat(65)}@example.com`,
  `${'a.'.repeat(10_000)}com`,
  'AS',
  'AS4294967296',
  'AS007',
  'country:DEU',
  'country:',
  `person:${HASH}x`,
  'device:short',
])('%j is no entry', (typed) => {
  expect(parseListValue(typed)).toBeUndefined();
});

test('the stored form of an entry reads as the same entry', () => {
  for (const typed of ['Jane+x@gmail.com', '*.example.com', '2001:DB8::1', 'as1', 'country:fr']) {
    const value = parseListValue(typed);
    expect(parseListValue(value?.text ?? '')).toEqual(value);
  }
});

test('shows no person once it is masked', () => {
  expect(
    [
      'jane@example.com',
      'example.com',
      '203.0.113.7',
      '203.0.113.0/24',
      'AS64500',
      'person:abcdefghijklmnopqrstuv',
    ].map(maskListValue),
  ).toEqual(['***@example.com', 'example.com', '203.0.113.0/24', '203.0.113.0/24', 'AS64500', 'person:***']);
});
