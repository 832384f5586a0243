import { expect, it } from 'vitest';
import { createKnownMethods } from './known-methods.ts';

const methodsOf = createKnownMethods([
  { method: 'GET', path: '/invites' },
  { method: 'DELETE', path: '/invites/:id' },
  { method: 'POST', path: '/invites/accept' },
  { method: 'POST', path: '/invites' },
  { method: 'GET', path: '/projects/:id/devices/:hash' },
]);

it.each([
  ['/invites', ['GET', 'POST']],
  ['/invites/5', ['DELETE']],
  ['/invites/accept', ['POST']],
  ['/inv%69tes', ['GET', 'POST']],
  ['/projects/a%2Fb/devices/c', ['GET']],
  ['/projects/a/b/devices/c', []],
  ['/invites/', []],
  ['/invites/5/6', []],
  ['/%E0%A4%A', []],
])('%s accepts %j', (path, methods) => {
  expect(methodsOf(path)).toEqual(methods);
});
