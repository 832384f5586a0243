import { CHECK_NAMES, type CheckName, DEFAULT_ACTIONS, MESSAGES } from '@postern/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../checks/check.ts';
import type { CheckRuns } from '../checks/run-checks.ts';
import { decide } from './decide.ts';

function runs(findings: Partial<Record<CheckName, Finding>>): CheckRuns {
  return CHECK_NAMES.flatMap((check) => {
    const finding = findings[check];
    return finding === undefined ? [] : [{ check, finding, latencyMs: 0 }];
  });
}
const failed: Finding = { outcome: 'failed', error: 'x' };
const passed: Finding = { outcome: 'passed' };

describe('the recommendation', () => {
  it('is allow without a message when nothing failed', () => {
    expect(
      decide(
        runs({ syntax: passed, mx: { outcome: 'unknown', reason: 'timeout' } }),
        DEFAULT_ACTIONS,
        'plain',
      ),
    ).toEqual({
      recommendation: 'allow',
      message: null,
      signals: [],
    });
  });

  it('is the strongest action among failed checks, and the message is that check’s', () => {
    expect(decide(runs({ roleEmail: failed, disposable: failed }), DEFAULT_ACTIONS, 'plain')).toMatchObject({
      recommendation: 'block',
      message: MESSAGES.plain.disposable,
    });
  });

  it('breaks ties in the order of the checks', () => {
    const actions = { device: 'flag', alias: 'flag', ip: 'flag' } as const;
    expect(decide(runs({ ip: failed, device: failed, alias: failed }), actions, 'friendly').message).toBe(
      MESSAGES.friendly.alias,
    );
  });

  it('does not change for a failed check whose action is allow, but its signals still show', () => {
    const finding: Finding = { outcome: 'failed', error: 'x', signals: ['role_email'] };
    expect(decide(runs({ roleEmail: finding }), { roleEmail: 'allow' }, 'plain')).toEqual({
      recommendation: 'allow',
      message: null,
      signals: ['role_email'],
    });
  });

  it('is flag for a signal that the policy flags, with the message of its check, and never weaker than a failure', () => {
    const found = runs({ disposable: { outcome: 'passed', signals: ['random_local_part'] } });
    expect(decide(found, DEFAULT_ACTIONS, 'plain').recommendation).toBe('allow');
    expect(decide(found, DEFAULT_ACTIONS, 'plain', { random_local_part: 'flag' })).toEqual({
      recommendation: 'flag',
      message: MESSAGES.plain.disposable,
      signals: ['random_local_part'],
    });
    expect(decide(found, DEFAULT_ACTIONS, 'plain', { new_domain: 'flag' }).recommendation).toBe('allow');
    const blocked = runs({ disposable: { ...failed, signals: ['random_local_part'] } });
    expect(decide(blocked, DEFAULT_ACTIONS, 'plain', { random_local_part: 'flag' }).recommendation).toBe(
      'block',
    );
  });

  it('has a message exactly when it is not allow, for any findings and policy', () => {
    const outcome = fc.constantFrom<Finding>(failed, passed, { outcome: 'unknown', reason: 'x' });
    const findings = fc.record(Object.fromEntries(CHECK_NAMES.map((name) => [name, outcome])), {
      requiredKeys: [],
    });
    const action = fc.constantFrom('allow', 'flag', 'block');
    const actions = fc.record(Object.fromEntries(CHECK_NAMES.map((name) => [name, action])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(findings, actions, (found, policy) => {
        const { recommendation, message } = decide(runs(found), policy, 'plain');
        expect(message === null).toBe(recommendation === 'allow');
      }),
    );
  });
});
