import type { ValidationDetail } from '@postern/contract/dashboard';
import { expect, it } from 'vitest';
import { answerSummary } from './answer-summary.ts';

const DETAIL = {
  recommendation: 'block',
  failed: [],
  signals: [],
  rules: [],
  lists: [],
  actions: { disposable: 'block', mx: 'block', roleEmail: 'flag', ip: 'block' },
  checks: {},
} as unknown as ValidationDetail;
const UNKNOWN = { pass: true, latency: 1, metadata: { status: 'unknown', reason: 'timeout' } };

const summary = (change: Partial<ValidationDetail>) =>
  answerSummary({ ...DETAIL, ...change }, (id) => ({ free_mail: 'Free mail only' })[id] ?? id);

it('names the failed checks whose action is the answer', () => {
  expect(summary({ failed: ['disposable', 'roleEmail'] })).toBe(
    'This sign-up was blocked because Disposable failed.',
  );
  expect(summary({ recommendation: 'flag', failed: ['roleEmail'] })).toBe(
    'This sign-up was flagged because Role address failed.',
  );
});

it('names the list if an entry decided, in both directions', () => {
  expect(summary({ lists: ['block:domain'], signals: ['block_listed'], rules: ['free_mail'] })).toBe(
    'This sign-up was blocked because its domain is on the project’s block list.',
  );
  expect(summary({ recommendation: 'allow', lists: ['allow:range'], failed: ['disposable'] })).toBe(
    'This sign-up was allowed because its IP address is on the project’s allow list.',
  );
});

it('names the first rule if one decided, or its ID if it is gone', () => {
  expect(summary({ rules: ['free_mail', 'other'], failed: ['disposable'] })).toBe(
    'This sign-up was blocked because the rule “Free mail only” matched.',
  );
  expect(summary({ recommendation: 'allow', rules: ['gone'] })).toBe(
    'This sign-up was allowed because the rule “gone” matched.',
  );
});

it('names what the policy flagged although no check failed', () => {
  expect(summary({ recommendation: 'flag', signals: ['free_provider', 'random_local_part'] })).toBe(
    'This sign-up was flagged because the policy flags the signal random_local_part.',
  );
  expect(summary({ recommendation: 'flag', checks: { mx: UNKNOWN, syntax: UNKNOWN } })).toBe(
    'This sign-up was flagged because the policy flags Mail servers without a result.',
  );
  expect(summary({ recommendation: 'flag', signals: ['new_domain'], checks: { ip: UNKNOWN } })).toBe(
    'This sign-up was flagged because the policy flags one of these: the signal new_domain, IP address without a result.',
  );
});

it('says of an allowed sign-up what failed without counting', () => {
  expect(summary({ recommendation: 'allow' })).toBe('This sign-up was allowed: no check found a problem.');
  expect(summary({ recommendation: 'allow', failed: ['roleEmail'] })).toBe(
    'This sign-up was allowed: the policy allows what failed (Role address).',
  );
});
