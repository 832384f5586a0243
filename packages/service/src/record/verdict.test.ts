import { describe, expect, it } from 'vitest';
import { createVerdictSigner, emailHash, makeSigningKey, type VerdictFacts } from './verdict.ts';

const START = Date.UTC(2026, 10, 15);
const MINUTE_MS = 60_000;

function facts(now: number): VerdictFacts {
  return {
    projectId: 'p',
    sub: emailHash('jane@example.com'),
    requestId: 'r',
    recommendation: 'allow',
    signals: [],
    mode: 'live',
    weakened: false,
    checks: ['syntax'],
    event: 'sign_up',
    without: [],
    quiet: false,
    now,
  };
}

async function kidAt(signer: ReturnType<typeof createVerdictSigner>, now: number): Promise<string> {
  const token = await signer.sign(facts(now));
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
}

describe('signing keys', () => {
  it('the first key signs immediately', async () => {
    const first = makeSigningKey(START);
    expect(await kidAt(createVerdictSigner([first]), START)).toBe(first.kid);
  });

  it('a new key is published immediately, and signs once every cache of the key set has it', async () => {
    const old = { ...makeSigningKey(START - 90 * 24 * 60 * MINUTE_MS), retiredAt: START };
    const fresh = makeSigningKey(START);
    const signer = createVerdictSigner([old, fresh]);
    expect(signer.keySet(START).keys.map(({ kid }) => kid)).toEqual(
      expect.arrayContaining([old.kid, fresh.kid]),
    );
    expect(await kidAt(signer, START + 5 * MINUTE_MS)).toBe(old.kid);
    expect(await kidAt(signer, START + 6 * MINUTE_MS)).toBe(fresh.kid);
  });

  it('an old key stays published for a day', () => {
    const old = { ...makeSigningKey(START - 1), retiredAt: START };
    const signer = createVerdictSigner([old, makeSigningKey(START)]);
    expect(signer.keySet(START + 23 * 60 * MINUTE_MS).keys).toHaveLength(2);
    expect(signer.keySet(START + 25 * 60 * MINUTE_MS).keys).toHaveLength(1);
  });
});
