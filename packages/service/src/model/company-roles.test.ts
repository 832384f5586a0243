import { expect, it } from 'vitest';
import { accessOfClaims, parseRoleRule } from './company-roles.ts';

it('an address gives a role only if the provider has verified it', () => {
  const rules = ['email=cfo@example.com:analyst', 'groups=staff:viewer'].flatMap(
    (text) => parseRoleRule(text) ?? [],
  );
  const role = (claims: object) => accessOfClaims(rules, { ...claims }).role;
  const email = 'cfo@example.com';
  expect(role({ email, email_verified: true })).toBe('analyst');
  expect([role({ email, email_verified: false }), role({ email })]).toEqual(['none', 'none']);
  expect(role({ email, groups: ['staff'] })).toBe('viewer');
});
