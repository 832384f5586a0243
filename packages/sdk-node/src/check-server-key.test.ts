import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeKeySecret } from '../../service/src/model/key-secret.ts';
import { checkServerKey } from './check-server-key.ts';

it.each(['live', 'test'] as const)('accepts every %s key that the service makes', (mode) => {
  for (let turn = 0; turn < 100; turn += 1)
    expect(() => checkServerKey(` ${makeKeySecret('server', mode, randomBytes)}\n`)).not.toThrow();
});

it('refuses a key with a wrong or a missing character', () => {
  const key = makeKeySecret('server', 'live', randomBytes);
  const wrong = key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  for (const mistaken of [wrong, key.slice(0, -1), `${key}a`, 'pst_server_live_'])
    expect(() => checkServerKey(mistaken), mistaken).toThrow('not a whole server key');
});

it('leaves other keys to the service', () => {
  expect(() => checkServerKey('a-key-of-a-later-version')).not.toThrow();
});
