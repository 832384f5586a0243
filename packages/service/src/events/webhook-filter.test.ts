import type { WebhookPayload } from '@postern/contract';
import { expect, it } from 'vitest';
import { wants } from './webhook-filter.ts';

const event = (type: WebhookPayload['type'], data: object): WebhookPayload => ({
  type,
  timestamp: '2026-11-17T12:00:00.000Z',
  data: { project: 'shop', ...data },
});

it('a webhook gets the validations with one of its signals, and surges that are large enough', () => {
  const filter = { signals: ['tor_exit', 'hosting_ip'], surgeAtLeast: 100 };
  expect(wants(filter, event('validation.blocked', { signals: ['role_email', 'tor_exit'] }))).toBe(true);
  expect(wants(filter, event('validation.flagged', { signals: ['role_email'] }))).toBe(false);
  expect(wants(filter, event('surge.detected', { count: 99 }))).toBe(false);
  expect(wants(filter, event('surge.detected', { count: 100 }))).toBe(true);
  expect(wants(filter, event('test.ping', {}))).toBe(true);
  expect(wants({}, event('validation.blocked', { signals: [] }))).toBe(true);
});
