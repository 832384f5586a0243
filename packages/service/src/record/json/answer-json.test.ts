import type { ValidateResponse } from '@postern/contract';
import { describe, expect, it } from 'vitest';
import { writeAnswer } from '../../http/success-answer.ts';

describe('the body of a 200', () => {
  it.each<ValidateResponse>([
    {
      checks: {},
      metadata: { fingerprintHash: null, previousSignups: 0, totalLatency: 0.5 },
      message: null,
      recommendation: 'allow',
      signals: [],
    },
    {
      checks: { mx: { pass: false, error: 'none', latency: 1 } },
      metadata: { fingerprintHash: '"\u0000é', previousSignups: 3, totalLatency: 12 },
      message: 'Please use “another” address.',
      recommendation: 'block',
      signals: ['no_mx_records', 'device_seen_3_times'],
    },
  ])('is the response as JSON, its fields in the document’s order', (response) => {
    const { checks, metadata, ...advice } = response;
    const written = writeAnswer({ checks: JSON.stringify(checks), ...metadata, ...advice });
    expect(written).toBe(JSON.stringify(response));
  });
});
