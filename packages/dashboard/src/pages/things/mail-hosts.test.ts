import { expect, it } from 'vitest';
import { mailHosts } from './mail-hosts.ts';

const result = (metadata: Record<string, unknown>) => ({ pass: true, latency: 1, metadata });

it('says where mail goes, and why that is not known', () => {
  const records = [
    { exchange: 'mx1.example', priority: 10 },
    { exchange: 'mx2.example', priority: 20 },
  ];
  expect(mailHosts(result({ status: 'ok', records }))).toBe('mx1.example, mx2.example');
  expect(mailHosts(result({ status: 'ok', implicit: true, records: [] }))).toContain('own address');
  expect(mailHosts(result({ status: 'unknown', reason: 'timeout' }))).toBe('not known (timeout)');
  expect(mailHosts(undefined)).toBe('none');
});
