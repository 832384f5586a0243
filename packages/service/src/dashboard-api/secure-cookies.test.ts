import { expect, it } from 'vitest';
import { createSecureCookies } from './secure-cookies.ts';

const COOKIE = 'postern.session_token=x; Path=/dashboard; HttpOnly';
const SECURE = `${COOKIE}; Secure`;

function open(always = false) {
  const warnings: string[] = [];
  const secure = createSecureCookies({
    always,
    trustsPeer: (peer) => peer === '10.0.0.1',
    onUnsaid: () => warnings.push('unsaid'),
  });
  const sent = (headers: Record<string, string>, peer = '10.0.0.1', cookie = COOKIE) =>
    secure([cookie], peer, (name) => headers[name])[0];
  return { sent, warnings };
}

it('marks cookies Secure when a trusted proxy says that the browser came by HTTPS', () => {
  const { sent, warnings } = open();
  expect(sent({ 'x-forwarded-proto': 'https' })).toBe(SECURE);
  expect(sent({ 'x-forwarded-proto': 'HTTPS , http' })).toBe(SECURE);
  expect(sent({ 'x-forwarded-proto': 'http' })).toBe(COOKIE);
  expect(sent({ 'x-forwarded-proto': 'http, https' })).toBe(COOKIE);
  expect(sent({})).toBe(COOKIE);
  expect(sent({ 'x-forwarded-proto': 'https' }, '203.0.113.9')).toBe(COOKIE);
  expect(warnings).toEqual([]);
});

it('trusts the browser if the proxy says nothing, and warns the operator once', () => {
  const { sent, warnings } = open();
  expect(sent({ origin: 'http://postern.example' })).toBe(COOKIE);
  expect(warnings).toEqual([]);
  expect(sent({ origin: 'https://postern.example' })).toBe(SECURE);
  expect(sent({ origin: 'https://postern.example' }, '203.0.113.9')).toBe(SECURE);
  expect(warnings).toEqual(['unsaid']);
});

it('does not change cookies that are already Secure', () => {
  expect(open().sent({ 'x-forwarded-proto': 'https' }, '10.0.0.1', SECURE)).toBe(SECURE);
  expect(open(true).sent({ origin: 'https://postern.example' })).toBe(COOKIE);
});
