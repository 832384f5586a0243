import { describe, expect, it } from 'vitest';
import { byImportance, explainCheck } from './explain-check.ts';

describe('explainCheck', () => {
  it('tells a failure with its reason and what its action did', () => {
    const result = { pass: false, error: 'The domain is a throwaway one', latency: 1 };
    expect(explainCheck('disposable', result, 'block')).toMatchObject({
      outcome: 'failed',
      why: 'The domain is a throwaway one. The policy blocks such sign-ups.',
    });
    expect(explainCheck('disposable', result, 'allow').why).toContain('did not count');
  });

  it('says that a passed check found no problems, and sorts failures to the top', () => {
    const passed = { pass: true, latency: 1 };
    const failed = { pass: false, latency: 1 };
    expect(explainCheck('mx', passed, 'block').why).toBe('No problems found.');
    expect([passed, failed].sort(byImportance)).toEqual([failed, passed]);
  });

  it('does not show “could not tell” as a pass', () => {
    const result = { pass: true, latency: 1, metadata: { status: 'unknown', reason: 'resolver offline' } };
    const { outcome, why } = explainCheck('mx', result, 'block');
    expect(outcome).toBe('unknown');
    expect(why).toContain('resolver offline');
  });

  it('lists what the check rests on with the contract’s meaning, its data version included', () => {
    const { facts } = explainCheck(
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
    const { facts } = explainCheck('mx', { pass: true, latency: 1, metadata }, 'block');
    expect(facts[0]?.value).toBe('mx.example (10)');
  });
});
