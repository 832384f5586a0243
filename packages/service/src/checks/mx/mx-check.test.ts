import { expect, test } from 'vitest';
import { inputFor as inputOfEmail } from '../../../test/support/check-input.ts';
import type { MailRoute } from '../../model/mail-route.ts';
import type { CheckInput, Finding } from '../check.ts';
import type { AskMailRoute } from '../check-input.ts';
import { createMxCheck } from './mx-check.ts';

const check = createMxCheck();

function inputFor(domain: string, mailRoute: AskMailRoute, local = 'jane.doe'): CheckInput {
  return inputOfEmail(`${local}@${domain}`, { mailRoute });
}

const hosts = [{ exchange: 'mx.a.test', priority: 10, addresses: ['93.184.216.34'] }];
const records = [{ exchange: 'mx.a.test', priority: 10 }];
const cases: readonly [MailRoute, Finding][] = [
  [
    { status: 'found', hosts, implicit: false },
    { result: 'passed', signals: [], metadata: { status: 'ok', records } },
  ],
  [
    { status: 'found', hosts, implicit: true },
    { result: 'passed', signals: [], metadata: { status: 'ok', records, implicit: true } },
  ],
  [
    { status: 'null-mx' },
    {
      result: 'failed',
      error: 'The domain accepts no mail',
      signals: ['null_mx'],
      metadata: { status: 'ok', records: [] },
    },
  ],
  [
    { status: 'no-records' },
    {
      result: 'failed',
      error: 'The domain has no mail host',
      signals: ['no_mx_records'],
      metadata: { status: 'ok', records: [] },
    },
  ],
  [
    { status: 'no-domain' },
    {
      result: 'failed',
      error: 'The domain does not exist',
      signals: ['domain_not_found'],
      metadata: { status: 'ok', records: [] },
    },
  ],
  [
    { status: 'unroutable', hosts },
    {
      result: 'failed',
      error: 'The domain’s mail hosts cannot be reached',
      signals: ['unroutable_mx'],
      metadata: { status: 'ok', records },
    },
  ],
  [
    { status: 'unknown', reason: 'resolver-offline' },
    {
      result: 'unknown',
      reason: 'resolver-offline',
      signals: [],
      metadata: { status: 'unknown', reason: 'resolver-offline' },
    },
  ],
];

test.each(cases)('the route %j is judged synchronously when it is known', (route, finding) => {
  expect(check.inspect(inputFor('a.test', () => route))).toEqual(finding);
});

test.each(cases)('the route %j is judged when it comes later', async (route, finding) => {
  const later = check.inspect(inputFor('a.test', () => Promise.resolve(route)));
  expect(later).toBeInstanceOf(Promise);
  expect(await later).toEqual(finding);
});

test('a misspelling gets a suggestion and does not fail the check by itself', () => {
  const finding = check.inspect(inputFor('gmial.com', () => ({ status: 'found', hosts, implicit: false })));
  expect(finding).toEqual({
    result: 'passed',
    signals: ['domain_typo'],
    metadata: { status: 'ok', records, suggestion: 'gmail.com' },
  });
});

test('a misspelling gets a suggestion with a failure too, and when DNS cannot tell', () => {
  expect(check.inspect(inputFor('gmial.com', () => ({ status: 'no-domain' })))).toMatchObject({
    result: 'failed',
    signals: ['domain_not_found', 'domain_typo'],
    metadata: { suggestion: 'gmail.com' },
  });
  expect(
    check.inspect(inputFor('gmial.com', () => ({ status: 'unknown', reason: 'timeout' }))),
  ).toMatchObject({
    result: 'unknown',
    signals: ['domain_typo'],
    metadata: { status: 'unknown', suggestion: 'gmail.com' },
  });
});

test('an address literal does not ask DNS', () => {
  const finding = check.inspect(
    inputFor('[127.0.0.1]', () => {
      throw new Error('asked');
    }),
  );
  expect(finding).toMatchObject({ result: 'unknown', reason: 'not-asked', signals: [] });
});

test('suggests no address that its provider cannot have issued', () => {
  const route = { status: 'found', hosts, implicit: false } as const;
  const found = (local: string) => check.inspect(inputFor('gmial.com', () => route, local));
  expect(found('jane')).toEqual({ result: 'passed', signals: [], metadata: { status: 'ok', records } });
  expect(found('jane.doe')).toMatchObject({ metadata: { suggestion: 'gmail.com' } });
});
