import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SubmissionMessage } from '../submission-message.ts';
import { packSubmissions, unpackSubmissions } from './worker-messages.ts';

const text = fc.string({ unit: 'binary' });
const bit = fc.constantFrom(0 as const, 1 as const);
const validation = fc.record({
  inbox: text,
  spelling: text,
  isClaim: fc.constantFrom(0 as const, 1 as const),
  claimNetwork: fc.option(text),
  mistyped: fc.nat(),
  confirmedOnly: fc.constantFrom(0 as const, 1 as const),
  device: fc.option(text),
  network: fc.option(text),
  threshold: fc.nat(),
  commonNetworks: fc.nat(),
  flagClaims: fc.constantFrom(0 as const, 1 as const),
  retentionMs: fc.maxSafeNat(),
  recommendations: fc.constant('01010101121212120101010112121212'),
  effects: fc.array(fc.string(), { minLength: 4, maxLength: 4 }),
  rules: fc.array(text, { minLength: 1 }),
  lists: fc.array(text, { minLength: 1 }),
  log: fc.tuple(
    text,
    fc.maxSafeNat(),
    text,
    text,
    fc.option(text),
    fc.option(text),
    fc.option(text),
    fc.option(fc.nat()),
  ),
  words: text,
  details: text,
});
const submission: fc.Arbitrary<SubmissionMessage> = fc.record({
  project: text,
  key: text,
  projectVersion: fc.nat(),
  keyVersion: fc.nat(),
  lane: fc.constantFrom('client' as const, 'server-test' as const),
  live: bit,
  now: fc.maxSafeNat(),
  rateLimit: fc.nat(),
  visitors: fc.array(fc.tuple(text, fc.nat()), { maxLength: 3 }),
  claim: fc.constant(null),
  countRate: bit,
  quotaLimit: fc.maxSafeNat(),
  month: text,
  validation: fc.option(validation),
});

it('arrive unchanged, whatever their texts contain', () => {
  fc.assert(
    fc.property(fc.array(submission), (submissions) => {
      const packed = packSubmissions(submissions, new Int32Array(submissions.length));
      expect(packed.count).toBe(submissions.length);
      expect(unpackSubmissions(structuredClone(packed))).toEqual(submissions);
    }),
  );
});
