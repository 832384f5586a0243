import { expect, test } from 'vitest';
import { parseDnsServerAddress } from './dns-server-address.ts';

test.each([
  ['192.0.2.1', { host: '192.0.2.1', port: 53, text: '192.0.2.1:53' }],
  [' 192.0.2.1:5353 ', { host: '192.0.2.1', port: 5353, text: '192.0.2.1:5353' }],
  ['::1', { host: '::1', port: 53, text: '[::1]:53' }],
  ['[::1]', { host: '::1', port: 53, text: '[::1]:53' }],
  ['[2001:db8::1]:5300', { host: '2001:db8::1', port: 5300, text: '[2001:db8::1]:5300' }],
  ['fe80::1%eth0', { host: 'fe80::1%eth0', port: 53, text: '[fe80::1%eth0]:53' }],
  ['resolver.internal:53', { host: 'resolver.internal', port: 53, text: 'resolver.internal:53' }],
])('%s is a server', (text, expected) => {
  expect(parseDnsServerAddress(text)).toEqual(expected);
});

test.each([
  '',
  'a b',
  '192.0.2.1:0',
  '192.0.2.1:65536',
  '192.0.2.1:',
  '[192.0.2.1]:53',
  '[::1',
  'dns://x',
  ':53',
])('%j is none', (text) => {
  expect(parseDnsServerAddress(text)).toBeUndefined();
});
