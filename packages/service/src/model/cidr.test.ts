import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cidr, cidrContains, cidrText, createCidrSet, parseCidr } from './cidr.ts';
import { type IpAddress, parseIpAddress } from './ip-address.ts';

function ip(text: string): IpAddress {
  const parsed = parseIpAddress(text);
  if (parsed === undefined) throw new Error(`not an address: ${text}`);
  return parsed;
}

function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed === undefined) throw new Error(`not a range: ${text}`);
  return parsed;
}

describe('parseCidr', () => {
  it.each([
    ['10.0.0.1/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['192.0.2.7', '192.0.2.7/32'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['2001:db8:ffff:ffff::/33', '2001:db8:8000::/33'],
    ['::ffff:192.0.2.7/120', '192.0.2.0/24'],
    ['::/0', '::/0'],
  ])('reads %s as %s', (typed, canonical) => {
    expect(cidrText(cidr(typed))).toBe(canonical);
  });

  it.each([
    '',
    '/',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10/8',
    '::/129',
    '::/1e1',
    '::ffff:1.2.3.4/95',
    'example.com',
  ])('refuses %j', (text) => {
    expect(parseCidr(text)).toBeUndefined();
  });
});

describe('cidrContains', () => {
  it('includes both ends of a range and nothing beyond them', () => {
    expect(cidrContains(cidr('192.0.2.128/25'), ip('192.0.2.128'))).toBe(true);
    expect(cidrContains(cidr('192.0.2.128/25'), ip('192.0.2.255'))).toBe(true);
    expect(cidrContains(cidr('192.0.2.128/25'), ip('192.0.2.127'))).toBe(false);
    expect(cidrContains(cidr('2001:db8::/47'), ip('2001:db8:1:ffff:ffff:ffff:ffff:ffff'))).toBe(true);
    expect(cidrContains(cidr('2001:db8::/47'), ip('2001:db8:2::'))).toBe(false);
  });

  it('keeps the versions apart', () => {
    expect(cidrContains(cidr('0.0.0.0/0'), ip('::'))).toBe(false);
    expect(cidrContains(cidr('::/0'), ip('1.2.3.4'))).toBe(false);
  });
});

describe('createCidrSet', () => {
  it('agrees with node:net’s block list', () => {
    const range = fc.oneof(
      fc.tuple(fc.ipV4(), fc.integer({ min: 1, max: 32 })),
      fc.tuple(fc.ipV6(), fc.integer({ min: 1, max: 128 })),
    );
    const property = fc.property(
      fc.array(range, { maxLength: 30 }),
      fc.array(fc.oneof(fc.ipV4(), fc.ipV6()), { maxLength: 20 }),
      (ranges, asked) => {
        // One list per version: a block list also matches IPv4 addresses against IPv4-mapped IPv6 ranges.
        const lists = { 4: new BlockList(), 6: new BlockList() };
        const cidrs: Cidr[] = [];
        for (const [address, length] of ranges) {
          const { base, prefixLength } = cidr(`${address}/${length}`);
          lists[base.version].addSubnet(base.text, prefixLength, base.version === 4 ? 'ipv4' : 'ipv6');
          cidrs.push({ base, prefixLength });
        }
        const set = createCidrSet(cidrs);
        for (const text of [...asked, ...ranges.map(([address]) => address)]) {
          const address = ip(text);
          expect(set.has(address)).toBe(
            lists[address.version].check(address.text, address.version === 4 ? 'ipv4' : 'ipv6'),
          );
        }
      },
    );
    fc.assert(property, { numRuns: 200 });
  });

  it('returns the widest of nested ranges', () => {
    const set = createCidrSet([cidr('10.1.0.0/16'), cidr('10.0.0.0/8'), cidr('10.1.2.0/24')]);
    const found = set.find(ip('10.1.2.3'));
    expect(found && cidrText(found)).toBe('10.0.0.0/8');
    expect(set.find(ip('11.0.0.0'))).toBeUndefined();
  });
});
