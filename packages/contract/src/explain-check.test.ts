import { expect, test } from 'vitest';
import type { CheckName } from './checks.ts';
import { explainCheck } from './explain-check.ts';
import type { CheckResult } from './validate-response.ts';

const explained = (name: CheckName, result: CheckResult) => explainCheck(name, result).join('; ');

const result = (pass: boolean, metadata: Record<string, unknown>, error?: string) => ({
  pass,
  latency: 0,
  metadata,
  ...(error === undefined ? {} : { error }),
});

test('a listing names the entry, how many sources agree', () => {
  const metadata = {
    source: 'list',
    matched: 'burner.example',
    confidence: 'high',
    agree: { count: 3, of: 5 },
  };
  expect(explained('disposable', result(false, metadata, 'Throwaway'))).toBe(
    'burner.example is listed by 3 of 5 sources, high confidence',
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
  expect(explained('disposable', result(true, { ...metadata, evidence }))).toBe(words);
});

test('each of the other checks explains its reason', () => {
  expect(explained('syntax', result(true, { normalized: 'a@b.de' }))).toBe('usable, as a@b.de');
  expect(explained('roleEmail', result(false, { role: 'admin' }))).toBe('is a role address: admin');
  expect(
    explained('mx', result(true, { status: 'unknown', reason: 'timeout', suggestion: 'gmail.com' })),
  ).toBe('DNS did not answer in time; did you mean gmail.com?');
  expect(explained('mx', result(true, { status: 'ok', records: [{ exchange: 'mx.b.de' }] }))).toBe(
    'mail goes to mx.b.de',
  );
  expect(
    explained('alias', result(false, { kind: 'tag', canonical: 'a@gmail.com', provider: 'Gmail' }, 'A tag')),
  ).toBe('A tag; the inbox a@gmail.com, by Gmail’s rules');
  expect(
    explained(
      'ip',
      result(
        false,
        { address: '192.0.2.1', kind: 'vpn', asn: 64500, network: 'Example', country: 'DE' },
        'A VPN',
      ),
    ),
  ).toBe('A VPN; 192.0.2.1 is vpn in AS64500 Example, DE');
});

test('a logged result has no personal fields, and is explained without them', () => {
  expect(explained('syntax', result(true, {}))).toBe('usable');
  expect(explained('alias', result(false, { kind: 'tag', provider: 'Gmail' }, 'A tag'))).toBe(
    'A tag; an inbox that has other spellings, by Gmail’s rules',
  );
  expect(explained('ip', result(true, { kind: 'ordinary', asn: 64500 }))).toBe(
    'the address is ordinary in AS64500',
  );
  expect(explained('device', result(true, {}))).toBe('');
});

test('a check that could not tell says why', () => {
  expect(explained('ip', result(true, { status: 'unknown', reason: 'no data' }))).toBe('no data');
});
