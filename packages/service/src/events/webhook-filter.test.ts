import type { WebhookPayload } from '@postern/contract';
import { expect, it } from 'vitest';
import { wants } from './deliver-webhooks.ts';

const event = (type: WebhookPayload['type'], data: object): WebhookPayload => ({
  type,
  timestamp: '2026-11-17T12:00:00.000Z',
  data: { project: 'shop', ...data },
});

it('a webhook gets the validations with one of its signals', () => {
  const filter = { signals: ['tor_exit', 'hosting_ip'] };
  expect(wants(filter, event('validation.blocked', { signals: ['role_email', 'tor_exit'] }))).toBe(true);
  expect(wants(filter, event('validation.flagged', { signals: ['role_email'] }))).toBe(false);
  expect(wants(filter, event('campaign.detected', {}))).toBe(true);
  expect(wants(filter, event('test.ping', {}))).toBe(true);
  expect(wants({}, event('validation.blocked', { signals: [] }))).toBe(true);
});
