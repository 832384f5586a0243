import { beforeAll, expect, it } from 'vitest';
import { type IpRanges, loadIpRanges } from '../lookup/ip-ranges.ts';
import { createCidrSet } from '../model/cidr.ts';
import { ipv4Address, parseIpAddress } from '../model/ip-address.ts';
import { readBundledTables } from './bundled-networks.ts';
import { compileNetworks } from './compile-networks.ts';
import { knownRanges } from './known-ranges.ts';
import type { RangeTable } from './read-range-csv.ts';

/** Networks that people sit behind at home and on the phone, the largest of each part of the world. */
const ACCESS_NETWORKS = new Set([
  // North America
  7922, 701, 7018, 20115, 10796, 11351, 11426, 11427, 12271, 20001, 33363, 22773, 5650, 209, 22561, 7029,
  6128, 19108, 11492, 30036, 12083, 11404, 46375, 16591, 19165, 21928, 6167, 22394, 20057, 14593, 7155, 6621,
  577, 812, 852, 6327, 5769, 7992, 11290, 5645, 855,
  // Europe
  3320, 3209, 6805, 8881, 31334, 8422, 8767, 9145, 20676, 2856, 6871, 5089, 5607, 13285, 5378, 206067, 13037,
  25135, 42689, 3215, 12322, 15557, 5410, 51207, 21502, 3269, 30722, 1267, 12874, 16232, 24608, 8612, 210278,
  3352, 12430, 12479, 6739, 12338, 12334, 15704, 57269, 1136, 33915, 50266, 13127, 31615, 5432, 6848, 47377,
  12392, 3303, 6730, 6830, 8447, 8412, 25255, 8437, 3301, 1257, 8434, 44034, 29518, 8473, 2119, 25400, 29695,
  3292, 9158, 39642, 1759, 16086, 6855, 5610, 16019, 13036, 5617, 12741, 9141, 12912, 8374, 29314, 21021,
  5483, 20845, 21334, 9050, 8708, 12302, 8866, 6799, 3329, 1241, 5391, 5603, 8400, 31042, 3243, 2860, 12353,
  5466, 15502, 12389, 8402, 8359, 12714, 3216, 25513, 42610, 15895, 6849, 21497, 9121, 34984, 16135, 15897,
  47331,
  // Asia and the Pacific
  9198, 58224, 44244, 197207, 25019, 35819, 5384, 15802, 8551, 1680, 12400, 12849, 4134, 4837, 9808, 4812,
  4808, 9394, 4766, 9318, 17858, 3786, 9644, 17676, 4713, 2516, 9605, 2518, 17511, 9824, 2527, 138384, 3462,
  9924, 9674, 24158, 4780, 4760, 9269, 4515, 9304, 55836, 24560, 9829, 45609, 17488, 38266, 45271, 17813,
  7713, 23693, 4761, 23700, 9299, 4775, 17639, 132199, 4788, 9534, 9930, 10030, 45758, 17552, 23969, 45899,
  7552, 18403, 9506, 55430, 4773, 3758, 4657, 1221, 4804, 7545, 133612, 4739, 2764, 4771, 9500, 9790, 17557,
  9541, 45595, 23674,
  // Africa
  8452, 36992, 24863, 6713, 36925, 36884, 36947, 37693, 29465, 37075, 33771, 36926, 5713, 37457, 16637, 29975,
  37168, 37611,
  // Latin America
  8151, 13999, 28573, 26599, 18881, 27699, 26615, 7738, 8167, 22085, 22927, 7303, 27747, 7418, 22047, 27651,
  10620, 3816, 19429, 13489, 26611, 27831, 6147, 12252, 21575, 8048, 6306, 6057, 6400, 11830, 23201, 14754,
  18809,
]);
const FAILING = new Set(['tor', 'vpn', 'proxy', 'hosting']);

let networks: RangeTable;
let ranges: IpRanges;
let bytes: Uint8Array;

beforeAll(async () => {
  const tables = await readBundledTables();
  networks = tables.networks;
  bytes = compileNetworks(tables);
  ranges = loadIpRanges(bytes);
});

it('calls no range of an access network a server’s', () => {
  const access = networks.labels.map((label) =>
    ACCESS_NETWORKS.has(Number(label.slice(0, label.indexOf(',')))),
  );
  const vpnCompanies = createCidrSet(knownRanges('vpn'));
  const wrong: string[] = [];
  let addresses = 0;
  for (const [i, first] of networks.ipv4.first.entries()) {
    if (!access[networks.ipv4.label[i] ?? -1]) continue;
    addresses += (networks.ipv4.last[i] ?? first) - first + 1;
    // Some let a VPN company’s own range be announced by them.
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

it('uses a fresh list of exits in place of the bundled one', async () => {
  const fresh = compileNetworks({ ...(await readBundledTables()), overlays: { tor: [] } });
  const ip = parseIpAddress('102.156.69.225');
  expect(ip === undefined ? undefined : ranges.lookup(ip).kind).toBe('tor');
  expect(ip === undefined ? undefined : loadIpRanges(fresh).lookup(ip).kind).not.toBe('tor');
});
