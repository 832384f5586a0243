import type { WebhookPayload } from '@postern/contract';
import { expect, it } from 'vitest';
import { sentenceOf, subjectOf } from './webhook-body.ts';

const blocked = (signals: readonly string[], project = 'shop'): WebhookPayload => ({
  type: 'validation.blocked',
  timestamp: '2026-11-15T12:00:00.000Z',
  data: {
    project,
    address: 'm***@mailinator.com',
    signals,
    requestId: '019a87b0-5c00-7d6e-9a41-5b6c7d8e9f00',
  },
});

it('is the whole sentence as a mail’s subject', () => {
  const payload = blocked(['disposable_email']);
  expect(subjectOf(payload)).toBe(sentenceOf(payload));
});

it('leaves the signals out of a long subject, and keeps the request’s ID whole', () => {
  const subject = subjectOf(
    blocked(['disposable_email', 'catch_all_domain', 'recently_registered', 'no_mx']),
  );
  expect(subject).toBe(
    'Postern blocked m***@mailinator.com in project shop, request 019a87b0-5c00-7d6e-9a41-5b6c7d8e9f00',
  );
});

it('says that a subject was cut', () => {
  const subject = subjectOf(blocked([], 'x'.repeat(200)));
  expect([subject.length, subject.at(-1)]).toEqual([150, '…']);
});
