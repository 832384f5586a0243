import { readFileSync } from 'node:fs';
import { builtInChecks } from '../packages/service/dist/checks/built-in-checks.js';
import type { CheckInput } from '../packages/service/dist/checks/check.js';
import { createCheckInput } from '../packages/service/dist/checks/check-input.js';
import { loadDomainList } from '../packages/service/dist/lookup/domain-list.js';
import { loadIpRanges } from '../packages/service/dist/lookup/ip-ranges.js';
import { parseIpAddress } from '../packages/service/dist/model/ip-address.js';
import { parseEmailAddress } from '../packages/service/dist/model/parse-email-address.js';
import { DEFAULT_POLICY } from '../packages/service/dist/model/project.js';

const OFFLINE = ['syntax', 'disposable', 'roleEmail', 'alias', 'ip'] as const;
const ROUNDS = 200;

export interface OfflineFigures {
  readonly addresses: number;
  /** Parsing and the five checks that need no network. */
  readonly microsPerAddress: number;
  readonly loadMs: number;
  readonly rssMegabytes: number;
}

/** The cost of the five offline checks for one address, and of loading and keeping their data. */
export async function measureOfflineChecks(): Promise<OfflineFigures> {
  const rssBefore = process.memoryUsage().rss;
  const started = performance.now();
  const read = (name: string) =>
    readFileSync(new URL(`../packages/service/dist/data/${name}`, import.meta.url));
  const domainList = loadDomainList(read('domains.bin'));
  const ipRanges = loadIpRanges(read('networks.bin'));
  const loadMs = performance.now() - started;
  const rssMegabytes = (process.memoryUsage().rss - rssBefore) / 1024 / 1024;

  const checks = builtInChecks({
    domainList: () => domainList,
    ipRanges: () => ipRanges,
    infrastructure: undefined,
    zone: undefined,
    operatorDatabase: undefined,
  });
  const addresses = sampleAddresses();
  const round = () => {
    for (const { email, ip } of addresses) {
      const input = inputOf(email, ip);
      for (const name of OFFLINE) void checks[name].inspect(input);
    }
  };
  for (let warm = 0; warm < 20; warm += 1) round();
  const before = process.cpuUsage();
  for (let times = 0; times < ROUNDS; times += 1) round();
  const { user, system } = process.cpuUsage(before);
  return {
    addresses: addresses.length,
    microsPerAddress: (user + system) / ROUNDS / addresses.length,
    loadMs,
    rssMegabytes,
  };
}

function inputOf(email: string, ip: string): CheckInput {
  const address = parseEmailAddress(email);
  if (address === undefined) throw new Error(`${email} is not an address`);
  const project = { policy: DEFAULT_POLICY };
  return createCheckInput({ address, ip: parseIpAddress(ip), project, now: 0 }, undefined);
}

/** A mix of ordinary addresses, tags, role addresses, disposable and internationalised domains. */
function sampleAddresses(): { email: string; ip: string }[] {
  const shapes = [
    'jane.doe@gmail.com',
    'john@company-number.co.uk',
    'info@small-shop.de',
    'x+tag@outlook.com',
    'a@mailinator.com',
    'maria@bücher-laden.de',
    'li.wei@qq.com',
    'sales@a.b.c.example-corp.io',
  ];
  return Array.from({ length: 400 }, (_, at) => ({
    email: (shapes[at % shapes.length] ?? '').replace('number', `n${at}`).replace('jane', `jane${at}`),
    ip:
      at % 5 === 0
        ? `2a02:${(at * 37).toString(16)}::1`
        : `${(at * 7) % 223}.${at % 255}.${(at * 3) % 255}.9`,
  }));
}
