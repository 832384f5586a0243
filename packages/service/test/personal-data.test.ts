import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetPerson } from '../dist/operations/personal-data.js';
import { startService, type TestProject, type TestService } from './support/service.ts';

/** Every combination of the kinds below occurs in 1,050. */
const REQUESTS = process.env.TEST_SLOW === '1' ? 3_000 : 1_100;
const AT_ONCE = 100;
/** Only the addresses, fingerprints, user agents and idempotency keys below contain this text. */
const MARK = 'zqsecret';

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startService({
    zone: (name) =>
      name.startsWith('mx.')
        ? { A: ['93.184.216.34'] }
        : { MX: [[10, 'mx.mail-house.net']], A: ['93.184.216.34'] },
  });
  const unlimited = { quotaLimit: 1_000_000, rateClient: 1_000_000, rateServer: 1_000_000 };
  project = await service.makeProject(unlimited);
});
afterAll(() => service?.close());

/** Every byte in the data folder, as text in which ASCII is unchanged. */
async function storedBytes(): Promise<string> {
  const files = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  );
  return texts.join('\n');
}

const LOCAL_PARTS = [
  (n: number) => `jane${n}.${MARK}`,
  (n: number) => `jane${n}${MARK}+news.${MARK}`,
  (n: number) => `"${MARK} ${n}"`,
  (n: number) => `J.${MARK.toUpperCase()}${n}`,
  (n: number) => `größe${n}${MARK}`,
  (n: number) => `admin+${MARK}${n}`,
];
const DOMAINS = [
  'gmail.com',
  'GoogleMail.com',
  'mail-house.net',
  'yahoo.com',
  'mailinator.com',
  'fastmail.com',
];

function addressOf(n: number): string {
  const local = LOCAL_PARTS[n % LOCAL_PARTS.length] ?? LOCAL_PARTS[0];
  return `${local?.(n)}@${DOMAINS[n % DOMAINS.length]}`;
}

function ipOf(n: number): string {
  const low = 1 + (n % 254);
  return n % 3 === 0 ? `2a00:1450:4001:${low.toString(16)}::${low}:beef` : `93.184.${n % 200}.${low}`;
}

function send(n: number): Promise<unknown> {
  const fingerprintHash = `${MARK}-fingerprint-${n % 500}`;
  const userAgent = `${MARK}Browser/${n}`;
  const email = n % 50 === 49 ? `no address of ${MARK}` : addressOf(n);
  const headers = n % 7 === 0 ? { 'idempotency-key': `${MARK}-${n}` } : {};
  if (n % 2 === 0) {
    return project.validate({ email, fingerprintHash, userAgent, ip: ipOf(n) }, headers);
  }
  const page = { 'x-forwarded-for': ipOf(n), 'user-agent': userAgent };
  return project.validateFromPage({ email, fingerprintHash }, { ...headers, ...page });
}

async function expectNothingPersonal(): Promise<void> {
  const stored = await storedBytes();
  expect(stored.length).toBeGreaterThan(1_000_000);
  expect(stored.toLowerCase().includes(MARK)).toBe(false);
  // The log shows networks (/24 and /48). A full address would end differently.
  // The mail hosts of these domains are in 93.184.216.0/24, and the log keeps a mail host for rules.
  expect(/93\.184\.(?!216\.)\d+\.[1-9]/.exec(stored)?.[0]).toBeUndefined();
  expect(/:beef/.exec(stored)?.[0]).toBeUndefined();
  for (const key of [project.clientKey, project.serverKey]) expect(stored.includes(key)).toBe(false);
}

describe('the data folder', { timeout: 600_000 }, () => {
  it(`contains no address, IP, fingerprint, key or user agent after ${REQUESTS} requests`, async () => {
    for (let n = 0; n < REQUESTS; n += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => send(n + index)));
    }
    await expectNothingPersonal();
  });

  it('contains nothing about a person who was erased', async () => {
    const body = {
      email: `erase.me@erase-${MARK.slice(2)}.mail-house.net`,
      fingerprintHash: 'fingerprint-to-erase',
    };
    const domain = `erase-${MARK.slice(2)}.mail-house.net`;
    await project.validate(body);
    const hashes = await service.admin(async ({ store }) => {
      const { rows } = await store.log.page(project.id, { domain }, 10, null);
      return rows.flatMap(({ inboxHash, deviceHash }) => [inboxHash, deviceHash ?? '']);
    });
    expect(hashes).toHaveLength(2);
    const before = await storedBytes();
    for (const trace of [domain, ...hashes]) expect(before.includes(trace)).toBe(true);
    await service.admin((admin) => forgetPerson(admin, project.id, { ...body, erase: true }));
    const after = await storedBytes();
    for (const trace of [domain, ...hashes]) expect(after.includes(trace)).toBe(false);
    await expectNothingPersonal();
  });
});
