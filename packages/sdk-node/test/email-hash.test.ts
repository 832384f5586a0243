import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseEmailAddress } from '../../service/src/model/parse-email-address.ts';
import { emailHash } from '../src/email-hash.ts';

/** Letters that change with case, composition or IDNA tables, and other characters of addresses. */
const LETTERS = [...'aZ09.-_+"\\ @äÄßẞſKİıΣςéﬁ①例え。．｡Ǆǅ☺❤😀\u0301\u0308\ufe0f\u00ad\u200d'];
const DOMAINS = [
  '',
  'example.com',
  'BÜCHER.de',
  'xn--bcher-kva.de',
  'XN--BCHER-KVA.de',
  '例え.テスト',
  'Faß.DE',
  '1.2',
  '1。2',
];

it('every address that the service accepts gets the same hash', async () => {
  const text = fc.array(fc.constantFrom(...LETTERS), { maxLength: 8 }).map((letters) => letters.join(''));
  const quoted = text.map((inner) => `"${inner}"`);
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(text, quoted),
      fc.constantFrom(...DOMAINS),
      text,
      async (local, domain, rest) => {
        const email = `${local}@${domain}${rest}`;
        const address = parseEmailAddress(email);
        if (address === undefined) return;
        compared += 1;
        expect(await emailHash(email)).toBe(
          createHash('sha256').update(address.normalized).digest('base64url'),
        );
      },
    ),
    { numRuns: 20_000 },
  );
  expect(compared).toBeGreaterThan(500);
});
