import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../model/project.ts';
import { effectiveActions, isWeakerThan } from './policy.ts';

describe('which checks run', () => {
  it('is the policy’s choice without validations, or with none named', () => {
    expect(effectiveActions(DEFAULT_POLICY, undefined, 'client')).toBe(DEFAULT_POLICY.actions);
    expect(effectiveActions(DEFAULT_POLICY, {}, 'server')).toBe(DEFAULT_POLICY.actions);
  });

  it('is exactly what validations names', () => {
    expect(effectiveActions(DEFAULT_POLICY, { mx: 'flag' }, 'client')).toEqual({ mx: 'flag' });
  });

  it('under tighten keeps the policy and raises the actions that a page asks for', () => {
    const policy = {
      ...DEFAULT_POLICY,
      actions: { syntax: 'block', mx: 'flag' },
      clientOverrides: 'tighten',
    } as const;
    expect(effectiveActions(policy, { mx: 'block', syntax: 'allow', ip: 'flag' }, 'client')).toEqual({
      syntax: 'block',
      mx: 'block',
      ip: 'flag',
    });
    expect(effectiveActions(policy, { mx: 'allow' }, 'server')).toEqual({ mx: 'allow' });
  });

  it('under ignore is the policy’s choice for a page, whatever it asks', () => {
    const policy = { ...DEFAULT_POLICY, clientOverrides: 'ignore' } as const;
    expect(effectiveActions(policy, { mx: 'allow' }, 'client')).toBe(policy.actions);
  });
});

describe('actions are weaker than the policy’s', () => {
  const policy = { syntax: 'block', mx: 'flag' } as const;

  it.each([
    [{ syntax: 'block' }, true],
    [{ syntax: 'flag', mx: 'flag' }, true],
    [{ syntax: 'allow', mx: 'block', ip: 'block' }, true],
    [{}, true],
    [policy, false],
    [{ syntax: 'block', mx: 'flag' }, false],
    [{ syntax: 'block', mx: 'block', ip: 'allow' }, false],
  ] as const)('%j: %s', (actions, weaker) => {
    expect(isWeakerThan(actions, policy)).toBe(weaker);
  });
});
