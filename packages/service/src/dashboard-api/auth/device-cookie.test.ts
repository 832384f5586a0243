import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createDeviceCookie } from './device-cookie.ts';

const open = (secret = 'secret', secure = false) =>
  createDeviceCookie({ secret, secure, cookiePath: '/dashboard', randomBytes });

it('recognises a browser, only for the account that signed in from it', () => {
  const devices = open();
  const [cookie = ''] = devices.makeKnown('jane@example.com', '');
  expect(cookie).toMatch(
    /^postern\.device=[\w-]{22}\.[\w-]{43}; Max-Age=15552000; Path=\/dashboard; HttpOnly; SameSite=Strict$/,
  );
  const sent = `theme=dark; ${cookie.split(';')[0]}; other=1`;
  const name = devices.find('jane@example.com', sent);
  expect(cookie).toContain(`=${name}.`);
  expect(devices.makeKnown('jane@example.com', sent)).toEqual([]);
  expect(devices.find('eve@example.com', sent)).toBeUndefined();
  expect(open('another secret').find('jane@example.com', sent)).toBeUndefined();
  expect(devices.find('jane@example.com', sent.replace('device=', 'device=x'))).toBeUndefined();
  expect(devices.find('jane@example.com', '')).toBeUndefined();
});

it('restricts the cookie to HTTPS where people use HTTPS', () => {
  expect(open('secret', true).makeKnown('jane@example.com', '')[0]).toMatch(/; Secure$/);
});
