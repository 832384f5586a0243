import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskIp, networkOf, parseIpAddress } from './ip-address.ts';

const textOf = (text: string) => parseIpAddress(text)?.text;

describe('IPv4', () => {
  it('reads a dotted quad as one number', () => {
    expect(parseIpAddress('1.2.3.4')).toEqual({ version: 4, text: '1.2.3.4', value: 0x01020304 });
    expect(parseIpAddress('255.255.255.255')).toMatchObject({ value: 0xffffffff });
    expect(parseIpAddress('0.0.0.0')).toMatchObject({ value: 0 });
  });

  it.each([
    '',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '1..3.4',
    '.1.2.3',
    '1.2.3.',
    '256.1.1.1',
    '1.2.3.999999999999',
    '01.2.3.4',
    '1.2.3.00',
    '0x1.2.3.4',
    '1.2.3.4 ',
    ' 1.2.3.4',
    '1.2.3.4:80',
    '1.2.3.4/8',
    '-1.2.3.4',
    '١.2.3.4',
    '2130706433',
  ])('refuses %j', (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });
});

describe('IPv6', () => {
  it.each([
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
    ['0:0:0:0:0:0:0:0', '::'],
  ])('spells %s as %s (RFC 5952)', (typed, canonical) => {
    expect(textOf(typed)).toBe(canonical);
  });

  it('reads an IPv4-mapped address as the IPv4 address', () => {
    expect(parseIpAddress('::ffff:1.2.3.4')).toEqual({ version: 4, text: '1.2.3.4', value: 0x01020304 });
    expect(parseIpAddress('::FFFF:0102:0304')).toEqual({ version: 4, text: '1.2.3.4', value: 0x01020304 });
    expect(parseIpAddress('0:0:0:0:0:ffff:102:304')).toMatchObject({ version: 4, text: '1.2.3.4' });
    expect(parseIpAddress('::1.2.3.4')).toMatchObject({ version: 6 });
  });

  it.each([
    ':',
    ':::',
    '1',
    '1:',
    ':1',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    '12345::',
    '::g',
    '::1%eth0',
    '[::1]',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::1.2.3',
    '::01.2.3.4',
    '1.2.3.4::',
    '1:2:3:4:5:6:7::8',
    '::1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:8::',
    '::1/64',
    'fe80::1 ',
    '1:2:3:4:5:6:7:',
  ])('refuses %j', (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });

  it('parses its own canonical text to the same address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const ip = parseIpAddress(text);
        expect(ip).toBeDefined();
        expect(parseIpAddress(ip?.text ?? '')).toEqual(ip);
        if (ip?.version === 6) expect(ip.text).toBe(new URL(`http://[${text}]/`).hostname.slice(1, -1));
      }),
    );
  });
});

it('accepts exactly what node:net accepts, except zones', () => {
  const near = fc
    .array(fc.constantFrom('0', '1', '25', '256', 'f', 'ffff', '00', ':', '::', '.', '%', ' '), {
      maxLength: 18,
    })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(near, fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
      expect(parseIpAddress(text) !== undefined).toBe(isIP(text) !== 0 && !text.includes('%'));
    }),
    { numRuns: 3_000 },
  );
});

describe('networks', () => {
  it('is the /24 of IPv4 and the /48 of IPv6', () => {
    const network = (text: string) => {
      const ip = parseIpAddress(text);
      return ip && networkOf(ip);
    };
    expect(network('203.0.113.77')).toBe('203.0.113.0/24');
    expect(network('255.255.255.255')).toBe('255.255.255.0/24');
    expect(network('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1::/48');
    expect(network('::ffff:203.0.113.9')).toBe('203.0.113.0/24');
  });

  it('shows no more than that in a log', () => {
    const ip = parseIpAddress('2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff');
    expect(ip && maskIp(ip)).toBe('2001:db8:aaaa::/48');
  });
});
