import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadDomainDates } from './domain-dates.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'domain-dates-'));
});
afterAll(() => rm(folder, { recursive: true }));

const load = async (text: string) => {
  const path = join(folder, 'dates.csv');
  await writeFile(path, text);
  return await loadDomainDates(path);
};

it('finds the day of a domain and of its subdomains', async () => {
  const dates = await load('# mine\nNew.com,2026-11-01\nother.co.uk\t2026-10-02T03:04:05Z\n');
  expect(dates('new.com')).toBe(Date.UTC(2026, 10, 1));
  expect(dates('a.b.new.com')).toBe(Date.UTC(2026, 10, 1));
  expect(dates('x.other.co.uk')).toBe(Date.UTC(2026, 9, 2));
  expect(dates('unknown.com')).toBeUndefined();
});

it('refuses a file without any row, and a missing file', async () => {
  await expect(load('domain,created\nnew.com,yesterday\n')).rejects.toThrow(
    'no line with a domain and a day',
  );
  await expect(loadDomainDates(join(folder, 'missing.csv'))).rejects.toThrow('ENOENT');
});
