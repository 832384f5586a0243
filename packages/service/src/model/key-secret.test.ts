import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyHint, makeKeySecret, readKeySecret } from './key-secret.ts';
import { hashSecretToken } from './secret-token.ts';

describe('a key’s secret', () => {
  it('states its type and mode', () => {
    for (const type of ['client', 'server'] as const) {
      for (const mode of ['live', 'test'] as const) {
        const secret = makeKeySecret(type, mode, randomBytes);
        expect(secret.startsWith(`pst_${type}_${mode}_`)).toBe(true);
        expect(readKeySecret(secret)).toEqual({ type, mode });
      }
    }
  });

  it('is refused when any single character is changed', () => {
    const secret = makeKeySecret('client', 'live', randomBytes);
    for (let at = 0; at < secret.length; at += 1) {
      const wrong = secret.slice(0, at) + (secret[at] === 'x' ? 'y' : 'x') + secret.slice(at + 1);
      expect(readKeySecret(wrong), wrong).toBeUndefined();
    }
  });

  it.each(['', 'pst_client_live_', 'sk_live_123', 'x'.repeat(52), 'x'.repeat(10_000)])(
    '%j is none',
    (text) => {
      expect(readKeySecret(text)).toBeUndefined();
    },
  );

  it('skips the bytes that would bias the characters', () => {
    const secret = makeKeySecret('server', 'live', (size) =>
      new Uint8Array(size).map((_, at) => (at % 2 ? 0 : 255)),
    );
    expect(secret.slice(16, 46)).toBe('0'.repeat(30));
  });

  it('is not in its hash or its hint', () => {
    const secret = makeKeySecret('server', 'live', randomBytes);
    expect(hashSecretToken(secret)).toHaveLength(43);
    expect(keyHint(secret)).toBe(`${secret.slice(0, 20)}…`);
  });
});
