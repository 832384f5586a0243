import { expect, test } from 'vitest';
import { explainCheck } from './explain-check.ts';

const result = (pass: boolean, metadata: Record<string, unknown>, error?: string) => ({
  pass,
  latency: 0,
  metadata,
  ...(error === undefined ? {} : { error }),
});

test('a listing names the entry, how many sources agree, and the data’s version', () => {
  const metadata = {
    source: 'list',
    matched: 'burner.example',
    confidence: 'high',
    agree: { count: 3, of: 5 },
    dataVersion: '2026-09-01.1',
  };
  expect(explainCheck('disposable', result(false, metadata, 'Throwaway'))).toBe(
    'burner.example is listed by 3 of 5 sources, high confidence; data 2026-09-01.1',
  );
});

test.each([
  [
    {
      source: 'list',
      matched: 'a.qzz.io',
      confidence: 'medium',
      agree: { count: 0, of: 5 },
      rule: 'free-host',
    },
    { host: 'qzz.io' },
    'a.qzz.io is on no list, but looks disposable, medium confidence; under qzz.io, which gives away subdomains',
  ],
  [
    { source: 'infrastructure', matched: 'mx.hidden.example' },
    { kind: 'mail-host', listed: 3, unlisted: 0 },
    'on no list, but shares mx.hidden.example with listed domains; mail-host of 3 listed and 0 other domains',
  ],
  [{ source: 'none' }, undefined, 'on no list'],
])('the reason for a domain is explained: %j', (metadata, evidence, words) => {
  expect(explainCheck('disposable', result(true, { ...metadata, evidence }))).toBe(words);
});

test('each of the other checks explains its reason', () => {
  expect(explainCheck('syntax', result(true, { normalized: 'a@b.de' }))).toBe('usable, as a@b.de');
  expect(explainCheck('roleEmail', result(false, { role: 'admin' }))).toBe('is a role address: admin');
  expect(
    explainCheck('mx', result(true, { status: 'unknown', reason: 'timeout', suggestion: 'gmail.com' })),
  ).toBe('DNS did not answer in time; did you mean gmail.com?');
  expect(explainCheck('mx', result(true, { status: 'ok', records: [{ exchange: 'mx.b.de' }] }))).toBe(
    'mail goes to mx.b.de',
  );
  expect(
    explainCheck(
      'alias',
      result(false, { kind: 'tag', canonical: 'a@gmail.com', provider: 'Gmail' }, 'A tag'),
    ),
  ).toBe('A tag; the inbox a@gmail.com, by Gmail’s rules');
  expect(
    explainCheck(
      'ip',
      result(
        false,
        { address: '192.0.2.1', kind: 'vpn', asn: 64500, network: 'Example', country: 'DE' },
        'A VPN',
      ),
    ),
  ).toBe('A VPN; 192.0.2.1 is vpn in AS64500 Example, DE');
});
