import { expect, it } from 'vitest';
import { parseIpAddress } from './ip-address.ts';
import { isReserved } from './reserved-networks.ts';

const reserved = (text: string) => {
  const ip = parseIpAddress(text);
  return ip && isReserved(ip);
};

it.each([
  '127.0.0.1',
  '10.255.255.255',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '203.0.113.5',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '2001:db8::1',
  '4000::1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2002:c0a8:101::1',
])('%s is out of the internet’s reach', (text) => {
  expect(reserved(text)).toBe(true);
});

it.each([
  '1.1.1.1',
  '172.32.0.0',
  '172.15.255.255',
  '100.128.0.0',
  '192.0.1.0',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700::1111',
  '2001:200::1',
  '2a00:1450::1',
  '64:ff9b::808:808',
  '2002:808:808::1',
])('%s is on the internet', (text) => {
  expect(reserved(text)).toBe(false);
});
