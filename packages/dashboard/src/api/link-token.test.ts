import { expect, it } from 'vitest';
import { linkToken } from './link-token.ts';

it.each([
  ['#token=pst_setup_a-b', 'pst_setup_a-b'],
  ['#pst_setup_a-b', 'pst_setup_a-b'],
  ['#a%2Db', 'a-b'],
  ['', ''],
  ['#%', '%'],
])('reads %j as %j', (hash, token) => {
  expect(linkToken(hash)).toBe(token);
});
