import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { type IpRanges, loadIpRanges } from '../lookup/ip-ranges.ts';
import { createCidrSet } from '../model/cidr.ts';
import { ipv4Address, parseIpAddress } from '../model/ip-address.ts';
import { accessNetworks } from './access-space.ts';
import { readBundledTables } from './bundled-networks.ts';
import { compileNetworks, knownRanges } from './compile-networks.ts';
import { linesOf } from './read-lines.ts';
import { createRangeTableReader, type RangeTable } from './read-range-csv.ts';

/** The same table as ip-location-db publishes it. */
function readPublished(name: string): RangeTable {
  const folder = dirname(createRequire(import.meta.url).resolve(`@ip-location-db/${name}/package.json`));
  const reader = createRangeTableReader();
  for (const line of linesOf(join(folder, `${name}-ipv4-num.csv`))) reader.addIpv4(line);
  for (const line of linesOf(join(folder, `${name}-ipv6-num.csv`))) reader.addIpv6(line);
  return reader.finish();
}

const FAILING = new Set(['tor', 'vpn', 'proxy', 'hosting']);

let networks: RangeTable;
let countries: RangeTable;
let ranges: IpRanges;
let bytes: Uint8Array;

beforeAll(async () => {
  const tables = readBundledTables();
  ({ networks, countries } = tables);
  bytes = compileNetworks(tables);
  ranges = loadIpRanges(bytes);
});

it('has every range, name and country of the published tables', async () => {
  // No assertion of the whole: printing the difference of a million numbers takes minutes.
  expect(isDeepStrictEqual(networks, readPublished('asn'))).toBe(true);
  expect(isDeepStrictEqual(countries, readPublished('asn-country'))).toBe(true);
  expect(networks.ipv4.first.length).toBeGreaterThan(400_000);
});

it('does not classify ranges of access networks as servers', () => {
  const numbers = accessNetworks();
  const access = networks.labels.map((label) => numbers.has(Number(label.slice(0, label.indexOf(',')))));
  const vpnCompanies = createCidrSet(knownRanges('vpn'));
  const wrong: string[] = [];
  let addresses = 0;
  for (const [i, first] of Array.from(networks.ipv4.first).entries()) {
    if (!access[networks.ipv4.label[i] ?? -1]) continue;
    addresses += (networks.ipv4.last[i] ?? first) - first + 1;
    // Some announce ranges that belong to VPN companies.
    if (vpnCompanies.has(ipv4Address(first))) continue;
    const record = ranges.lookup(ipv4Address(first));
    if (FAILING.has(record.kind)) wrong.push(`AS${record.asn} ${record.network}: ${record.kind}`);
  }
  expect(addresses).toBeGreaterThan(700_000_000);
  expect(wrong).toEqual([]);
});

it.each([
  ['3.85.12.40', 'hosting', 14_618],
  ['5.9.8.8', 'hosting', 24_940],
  ['2a01:4f8:1::5', 'hosting', 24_940],
  ['89.187.170.9', 'vpn', 60_068],
  ['185.220.101.5', 'tor', 60_729],
  ['104.28.10.9', 'relay', 13_335],
  ['172.225.10.9', 'relay', 36_183],
  ['2a02:26f7:10::9', 'relay', 20_940],
  ['165.225.80.9', 'corporate', 62_044],
  ['73.12.34.56', 'ordinary', 7_922],
  ['2003:e4::9', 'ordinary', 3_320],
])('knows %s as %s in AS%i', (text, kind, asn) => {
  const ip = parseIpAddress(text);
  expect(ip && ranges.lookup(ip)).toMatchObject({ kind, asn });
});

it('states the date of its data and stays small', () => {
  expect(ranges.version).toMatch(/^bundled-\d{4}-\d{2}-\d{2}$/);
  expect(ranges.networks).toBeGreaterThan(80_000);
  expect(bytes.byteLength).toBeLessThan(12_000_000);
});

it.each([
  ['101.99.88.74', 'tor'],
  ['102.130.113.9', 'tor'],
  ['78.138.96.1', 'hosting'],
])('%s is %s by the bundled lists', (address, kind) => {
  const ip = parseIpAddress(address);
  expect(ip === undefined ? undefined : ranges.lookup(ip).kind).toBe(kind);
});

it('uses a fresh list of exits instead of the bundled one', async () => {
  const fresh = compileNetworks({ ...readBundledTables(), overlays: { tor: [] } });
  const ip = parseIpAddress('102.156.69.225');
  expect(ip === undefined ? undefined : ranges.lookup(ip).kind).toBe('tor');
  expect(ip === undefined ? undefined : loadIpRanges(fresh).lookup(ip).kind).not.toBe('tor');
});
