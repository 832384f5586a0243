import { pbkdf2Sync } from 'node:crypto';
import type { WorkParameters } from '@postern/contract';

/** The proof that a browser finds for `work`. */
export function solveWork({ nonce, salt, cost, keyLength, keyPrefix, maxCounter }: WorkParameters): string {
  const password = Buffer.concat([Buffer.from(nonce, 'hex'), Buffer.alloc(4)]);
  for (let counter = 0; counter <= maxCounter; counter += 1) {
    password.writeUInt32BE(counter, password.length - 4);
    const key = pbkdf2Sync(password, Buffer.from(salt, 'hex'), cost, keyLength, 'sha256').toString('hex');
    if (key.startsWith(keyPrefix)) return `${counter}:${key}`;
  }
  throw new Error('No counter solves the task');
}

/** Many from two networks, with six browsers, within a minute. */
export const FAST_ATTACK = Array.from({ length: 40 }, (_, index) => ({
  email: `kim.${String.fromCharCode(97 + (index % 26), 97 + (index % 7), 97 + (index % 5))}ley@mail-house.net`,
  ip: `95.216.4${index % 2}.${index + 1}`,
  fingerprint: `rented-${index % 6}`,
}));
