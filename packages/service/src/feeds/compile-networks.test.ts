import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type IpRecord, loadIpRanges } from '../lookup/ip-ranges.ts';
import { parseCidr } from '../model/cidr.ts';
import { ipv4Address, parseIpAddress } from '../model/ip-address.ts';
import { compileNetworks, type Overlays } from './compile-networks.ts';
import { createRangeTableReader, type RangeTable } from './read-range-csv.ts';

const number = (text: string): bigint => {
  const ip = parseIpAddress(text);
  if (ip === undefined) throw new Error(text);
  return ip.version === 4
    ? BigInt(ip.value)
    : ip.words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
};
const line = (first: string, last: string, label: string): string =>
  `${number(first)},${number(last)},${label}`;

function readRangeCsv(ipv4Csv: string, ipv6Csv: string): RangeTable {
  const reader = createRangeTableReader();
  for (const line of ipv4Csv.split('\n')) reader.addIpv4(line);
  for (const line of ipv6Csv.split('\n')) reader.addIpv6(line);
  return reader.finish();
}

const NETWORKS = readRangeCsv(
  [
    line('1.0.0.0', '1.0.0.255', '64500,Example Telecom'),
    line('1.0.1.0', '1.0.1.255', '64501,"Example Hosting, Inc."'),
    line('20.0.0.0', '20.255.255.255', '64500,Example Telecom'),
    line('104.0.0.0', '104.0.0.255', '13335,"Cloudflare, Inc."'),
    line('223.0.0.0', '223.255.255.255', '64502,"The ""Quoted"" One"'),
  ].join('\n'),
  [
    line('2a00::', '2a00:0:ffff:ffff:ffff:ffff:ffff:ffff', '64500,Example Telecom'),
    line('2a00:1::', '2a00:1::ffff:ffff:ffff:ffff', '64501,"Example Hosting, Inc."'),
  ].join('\n'),
);
const COUNTRIES = readRangeCsv(line('1.0.0.128', '1.0.1.127', 'DE'), line('2a00::', '2a00:ffff::', 'SE'));

function compiled(overlays: Partial<Record<keyof Overlays, readonly string[]>> = {}) {
  const cidrs = (ranges: readonly string[] = []) =>
    ranges.map((range) => parseCidr(range)).filter((c) => c !== undefined);
  const bytes = compileNetworks({
    version: 'test-1',
    networks: NETWORKS,
    countries: COUNTRIES,
    overlays: Object.fromEntries(Object.entries(overlays).map(([kind, ranges]) => [kind, cidrs(ranges)])),
  });
  const ranges = loadIpRanges(bytes);
  const lookup = (text: string): IpRecord => {
    const ip = parseIpAddress(text);
    if (ip === undefined) throw new Error(text);
    return ranges.lookup(ip);
  };
  return { bytes, ranges, lookup, kind: (text: string) => lookup(text).kind };
}

describe('a compiled file', () => {
  const { ranges, lookup } = compiled();

  it('finds the AS number, name, country and class of an address', () => {
    expect(lookup('1.0.1.5')).toEqual({
      asn: 64501,
      network: 'Example Hosting, Inc.',
      country: 'DE',
      kind: 'hosting',
    });
    expect(lookup('1.0.1.200')).toEqual({
      asn: 64501,
      network: 'Example Hosting, Inc.',
      country: undefined,
      kind: 'hosting',
    });
    expect(lookup('223.1.2.3').network).toBe('The "Quoted" One');
    expect(lookup('2a00::1')).toEqual({
      asn: 64500,
      network: 'Example Telecom',
      country: 'SE',
      kind: 'ordinary',
    });
    expect(lookup('2a00:1::5').kind).toBe('hosting');
    expect(lookup('2a00:1:0:1::5').asn).toBeUndefined();
  });

  it('returns nothing for unannounced addresses, from the first to the last', () => {
    const nothing = { asn: undefined, network: undefined, country: undefined, kind: 'ordinary' };
    for (const text of [
      '0.0.0.0',
      '0.255.255.255',
      '1.0.2.0',
      '19.255.255.255',
      '21.0.0.0',
      '255.255.255.255',
      '::',
      'ffff::',
    ]) {
      expect(lookup(text)).toEqual(nothing);
    }
  });

  it('judges NAT64 and 6to4 addresses by the IPv4 address inside', () => {
    expect(lookup('64:ff9b::1.0.1.5').kind).toBe('hosting');
    expect(lookup('2002:0100:0105::1').kind).toBe('hosting');
  });

  it('states its version and sizes', () => {
    expect(ranges).toMatchObject({ version: 'test-1', networks: 4 });
  });
});

describe('overlays', () => {
  it('win over the network’s class in the order corporate, relay, tor, vpn, proxy, hosting', () => {
    const all = ['20.0.0.0/8'];
    const order = ['corporate', 'relay', 'tor', 'vpn', 'proxy', 'hosting'] as const;
    for (const [place, kind] of order.entries()) {
      const overlays = Object.fromEntries(order.slice(place).map((name) => [name, all]));
      expect(compiled(overlays).kind('20.1.2.3')).toBe(kind);
    }
  });

  it('never classify a relay’s network as a VPN', () => {
    expect(compiled({ vpn: ['104.0.0.0/24'], hosting: ['104.0.0.0/24'] }).kind('104.0.0.5')).toBe('relay');
  });

  it('are exact to the address in IPv4 and to the /64 in IPv6', () => {
    const { kind } = compiled({
      tor: ['1.0.0.7', '2a00:0:0:5::9', '2a00:0:0:5::10'],
      vpn: ['2a00:0:0:8::/62'],
    });
    expect(['1.0.0.6', '1.0.0.7', '1.0.0.8'].map(kind)).toEqual(['ordinary', 'tor', 'ordinary']);
    expect(['2a00:0:0:4::9', '2a00:0:0:5::1', '2a00:0:0:6::9'].map(kind)).toEqual([
      'ordinary',
      'tor',
      'ordinary',
    ]);
    expect(['2a00:0:0:7::', '2a00:0:0:b:ffff::', '2a00:0:0:c::'].map(kind)).toEqual([
      'ordinary',
      'vpn',
      'ordinary',
    ]);
  });

  it('can cover addresses outside every network', () => {
    expect(compiled({ proxy: ['255.255.255.255'] }).lookup('255.255.255.255')).toMatchObject({
      asn: undefined,
      kind: 'proxy',
    });
  });
});

it('agrees with a linear search over the ranges', () => {
  const widths = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 40 });
  const property = fc.property(
    widths,
    widths,
    fc.array(fc.nat(12_000_000), { maxLength: 50 }),
    (sizes, gaps, asked) => {
      let at = 0;
      const rows = sizes.map((size, i) => {
        const first = at + (gaps[i % gaps.length] ?? 1);
        at = first + size;
        return { first, last: at - 1, asn: 64_512 + i };
      });
      const csv = rows.map(({ first, last, asn }) => `${first},${last},${asn},Network ${asn}`).join('\n');
      const empty = readRangeCsv('', '');
      const ranges = loadIpRanges(
        compileNetworks({ version: 'v', networks: readRangeCsv(csv, ''), countries: empty }),
      );
      for (const address of [
        ...asked,
        ...rows.flatMap(({ first, last }) => [first - 1, first, last, last + 1]),
      ]) {
        const expected = rows.find(({ first, last }) => first <= address && address <= last)?.asn;
        expect(ranges.lookup(ipv4Address(address)).asn).toBe(expected);
      }
    },
  );
  fc.assert(property, { numRuns: 30 });
});

describe('range files', () => {
  it.each([
    ['5,4,64500,X', 'line 1: out of order'],
    ['5,6,64500,X\n1,2,64500,X', 'line 2: out of order'],
    ['1,2', 'line 1: not first,last,label'],
    ['1,x,64500,X', 'line 1: not first,last,label'],
    ['1,4294967296,64500,X', 'line 1: not first,last,label'],
    ['<html>', 'line 1: not first,last,label'],
  ])('refuses %j', (csv, fault) => {
    expect(() => readRangeCsv(csv, '')).toThrow(fault);
  });

  it('refuses malformed labels', () => {
    const table = readRangeCsv('1,2,whatever', '');
    expect(() => compileNetworks({ version: 'v', networks: table, countries: COUNTRIES })).toThrow(
      'is not a network number',
    );
    expect(() => compileNetworks({ version: 'v', networks: NETWORKS, countries: table })).toThrow(
      'is not a country',
    );
  });

  it('have holes, which belong to the operator if it has both sides', () => {
    const networks = readRangeCsv(
      '10,20,64500,A\n31,40,64500,A\n51,60,64501,B\n71,80,64502,A\n91,100,64500,A\n200000,200001,64500,A',
      '',
    );
    const ranges = loadIpRanges(compileNetworks({ version: 'v', networks, countries: COUNTRIES }));
    expect([25, 45, 65, 85, 150_000].map((value) => ranges.lookup(ipv4Address(value)).asn)).toEqual([
      64500,
      undefined,
      undefined,
      64502,
      undefined,
    ]);
  });

  it('assigns overlapping addresses to the first range', () => {
    const networks = readRangeCsv('10,20,64500,A\r\n15,30,64501,B\r\n16,17,64502,C\r\n', '');
    const ranges = loadIpRanges(compileNetworks({ version: 'v', networks, countries: COUNTRIES }));
    expect([9, 10, 20, 21, 30, 31].map((value) => ranges.lookup(ipv4Address(value)).asn)).toEqual([
      undefined,
      64500,
      64500,
      64501,
      64501,
      undefined,
    ]);
  });
});

describe('a damaged file', () => {
  const { bytes } = compiled();
  const changed = (change: (copy: Uint8Array) => Uint8Array | undefined) => {
    const copy = bytes.slice();
    return change(copy) ?? copy;
  };

  it.each([
    ['cut short', changed((copy) => copy.subarray(0, copy.length - 4)), 'damaged'],
    ['cut inside a word', changed((copy) => copy.subarray(0, copy.length - 1)), 'not a complete file'],
    ['empty', new Uint8Array(0), 'not a complete file'],
    ['longer', changed((copy) => new Uint8Array([...copy, 0, 0, 0, 0])), 'damaged'],
    ['with a bit flipped', changed((copy) => void copy.fill((copy[1000] ?? 0) ^ 1, 1000, 1001)), 'checksum'],
    ['of another kind', changed((copy) => void copy.fill(0, 0, 4)), 'not network data'],
    ['of another format', changed((copy) => void copy.fill(9, 4, 5)), 'format 9'],
  ])('%s is refused', (_, damaged, message) => {
    expect(() => loadIpRanges(damaged)).toThrow(message);
  });

  it('can start anywhere in a larger buffer', () => {
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(loadIpRanges(shifted.subarray(1)).version).toBe('test-1');
  });
});
