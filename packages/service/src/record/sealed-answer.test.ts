import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { openAnswer, sealAnswer } from './sealed-answer.ts';

const request = { idempotencyKey: 'key-1', body: Buffer.from('{"email":"jane@example.com"}') };
const TEXT = '{"fingerprintHash":"fp-1","canonical":"jane@example.com"}';

it('an answer can be opened with the same key and body', () => {
  expect(openAnswer(sealAnswer(TEXT, request, randomBytes), request)).toBe(TEXT);
});

it('a sealed answer shows nothing of its text', () => {
  const sealed = sealAnswer(TEXT, request, randomBytes);
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('jane');
  expect(sealAnswer(TEXT, request, randomBytes)).not.toBe(sealed);
});

it.each([
  ['another key', { ...request, idempotencyKey: 'key-2' }],
  ['another body', { ...request, body: Buffer.from('{"email":"john@example.com"}') }],
])('an answer cannot be read with %s', (_what, other) => {
  const sealed = sealAnswer(TEXT, request, randomBytes);
  expect(() => openAnswer(sealed, other)).toThrow();
});

it('a changed answer is refused', () => {
  const bytes = Buffer.from(sealAnswer(TEXT, request, randomBytes), 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(() => openAnswer(bytes.toString('base64'), request)).toThrow();
});
