import { describe, expect, it } from 'vitest';
import { byImportance, checkTexts } from './check-texts.ts';

describe('checkTexts', () => {
  it('tells a failure with its reason and what its action did', () => {
    const result = { pass: false, error: 'The domain is a throwaway one', latency: 1 };
    expect(checkTexts('disposable', result, 'block')).toMatchObject({
      kind: 'failed',
      why: 'The domain is a throwaway one. The policy blocks such sign-ups.',
    });
    expect(checkTexts('disposable', result, 'allow').why).toContain('did not count');
  });

  it('says that a passed check found no problems, and sorts failures to the top', () => {
    const passed = { pass: true, latency: 1 };
    const failed = { pass: false, latency: 1 };
    expect(checkTexts('device', passed, 'block').why).toBe('No problems found.');
    expect([passed, failed].sort(byImportance)).toEqual([failed, passed]);
  });

  it('does not show “could not tell” as a pass', () => {
    const result = { pass: true, latency: 1, metadata: { status: 'unknown', reason: 'resolver-offline' } };
    const { kind, why } = checkTexts('mx', result, 'block');
    expect(kind).toBe('unknown');
    expect(why).toBe('The check could not tell and counts as passed. The resolver has no internet access.');
  });

  it('lists what the check rests on with the contract’s meaning, its data version included', () => {
    const { facts } = checkTexts(
      'disposable',
      {
        pass: true,
        latency: 1,
        metadata: { status: 'ok', dataVersion: '2026-11-01', agree: { count: 3, of: 4 }, matched: '' },
      },
      'block',
    );
    expect(facts.map(({ name, value }) => [name, value])).toEqual([
      ['dataVersion', '2026-11-01'],
      ['agree', '3 of 4'],
    ]);
    expect(facts[0]?.meaning).toContain('version');
  });

  it('writes lists of mail hosts as text', () => {
    const metadata = { records: [{ exchange: 'mx.example', priority: 10 }] };
    const { facts } = checkTexts('mx', { pass: true, latency: 1, metadata }, 'block');
    expect(facts[0]?.value).toBe('mx.example (10)');
  });
});
