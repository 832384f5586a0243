import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256Hex } from './sha256.ts';

const reference = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

it.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])('hashes %i bytes like Node', (length) => {
  expect(sha256Hex('a'.repeat(length))).toBe(reference('a'.repeat(length)));
});

it('hashes any text like Node', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      (text) => sha256Hex(text) === reference(text),
    ),
  );
});
