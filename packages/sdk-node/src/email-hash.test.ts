import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { emailHash } from './email-hash.ts';

it.each([
  [' Jane.Doe@Example.COM ', 'jane.doe@example.com'],
  ['jane@BÜCHER.example', 'jane@xn--bcher-kva.example'],
  ['jane@bu\u0308cher.example', 'jane@xn--bcher-kva.example'],
  ['jane@XN--BCHER-KVA.example', 'jane@xn--bcher-kva.example'],
  ['jane@STRAẞE.example', 'jane@xn--strae-oqa.example'],
  ['jane@ΟΔΟΣ.example', 'jane@xn--pxavbq.example'],
  ['jose\u0301@example.com', 'jos\u00e9@example.com'],
  ['jane@[192.0.2.1]', 'jane@[192.0.2.1]'],
  ['jane@1.2', 'jane@1.2'],
])('%s is hashed as %s', async (typed, normalized) => {
  expect(await emailHash(typed)).toBe(createHash('sha256').update(normalized).digest('base64url'));
});
