import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SLIP, typingDistance } from './typing-distance.ts';

const distance = (typed: string, intended: string) => typingDistance(typed, intended, 10);

test.each([
  ['nothing', 'gmail', 'gmail', 0],
  ['a doubled letter', 'gmaail', 'gmail', SLIP.doubled],
  ['one of two equal letters lost', 'yaho', 'yahoo', SLIP.doubled],
  ['both of them lost', 'yah', 'yahoo', SLIP.doubled + SLIP.omitted],
  ['two letters swapped', 'gmial', 'gmail', SLIP.swapped],
  ['a neighbouring key', 'gmaik', 'gmail', SLIP.neighbour],
  ['a neighbouring key as well', 'gmaikl', 'gmail', SLIP.neighbour],
  ['another vowel', 'gmeil', 'gmail', SLIP.vowel],
  ['a letter left out', 'gmal', 'gmail', SLIP.omitted],
  ['a digit that looks like the letter', 'gmai1', 'gmail', SLIP.lookAlike],
  ['a hyphen', 'g-mail', 'gmail', SLIP.hyphen],
  ['a letter from nowhere', 'gmxail', 'gmail', SLIP.extra],
  ['another letter altogether', 'gmaiz', 'gmail', SLIP.other],
  ['a slip at the start', 'hmail', 'gmail', SLIP.neighbour + SLIP.atStart],
])('%s costs what such a slip costs', (_slip, typed, intended, cost) => {
  expect(distance(typed, intended)).toBeCloseTo(cost, 10);
});

const word = fc.string({ unit: fc.constantFrom(...'abegilmoqyz01-'), maxLength: 12 });

test('the limit cuts the search off without changing smaller distances', () => {
  fc.assert(
    fc.property(word, word, fc.double({ min: 0, max: 4, noNaN: true }), (typed, intended, limit) => {
      const full = typingDistance(typed, intended, 100);
      expect(typingDistance(typed, intended, limit)).toBe(full <= limit ? full : Number.POSITIVE_INFINITY);
    }),
    { numRuns: 2_000 },
  );
});

test('only equal words have distance 0', () => {
  fc.assert(
    fc.property(word, word, (typed, intended) => {
      expect(typingDistance(typed, intended, 100) === 0).toBe(typed === intended);
    }),
  );
});

test('words too long to be compared are far apart', () => {
  expect(distance('a'.repeat(25), 'gmail')).toBe(Number.POSITIVE_INFINITY);
});
